//! Games: created, found, restored; each runs in a task of its own.
//!
//! | concept | module |
//! |---|---|
//! | who plays, and how | [`terms`] |
//! | the task that owns a game, and the position | [`table`] |
//! | one side of it, and all its handlers can reach | [`seat`], [`handle`] |
//! | what goes through the WebSocket | [`messages`], [`socket`] |
//! | the machine's turns and when they are shown | [`machine`], [`turns`] |
//! | the clocks, who is there, another game | [`clock`], [`care`] |
//! | the belief shown in practice games | [`practice`] |
//! | games on disk | [`store`] |

mod care;
pub(crate) mod clock;
mod handle;
pub(crate) mod machine;
pub(crate) mod messages;
mod practice;
pub(crate) mod seat;
pub(crate) mod socket;
pub(crate) mod store;
mod table;
pub(crate) mod terms;
mod turns;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use nebel_kriegspiel::{
    Color, Event, Header, Rules, Transcript, json,
    rules::RulesError,
    side::name,
    start::{self, FenError},
    transcript::Record,
};
use thiserror::Error;
use tokio::sync::{Mutex, Semaphore};

use self::{
    handle::TableHandle,
    messages::{NewSeat, OverFacts},
    store::{Change, Row, Store, StoreError},
    table::Table,
    terms::{NewGame, Terms, TermsError, WantedSide},
};
use crate::{
    limits::Limits,
    pool::{Busy, Pool},
    secret::{self, Fingerprint, NoRandomness, Token},
};

/// All games; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Games {
    services: Services,
    tables: Arc<Mutex<BTreeMap<String, TableHandle>>>,
}

/// What tables work with.
#[derive(Clone, Debug)]
pub(crate) struct Services {
    pub(crate) store: Store,
    /// Threads for players.
    pub(crate) players: Pool,
    /// Threads for beliefs.
    pub(crate) analysis: Pool,
    pub(crate) limits: Arc<Limits>,
    /// The practice games that may be in memory.
    pub(crate) practice: Arc<Semaphore>,
}

/// Why a game cannot be had.
#[derive(Debug, Error)]
pub(crate) enum GameError {
    /// No game has this name.
    #[error("there is no such game")]
    Unknown,
    /// The limit on games is reached.
    #[error("there are too many games: try again later")]
    TooMany,
    /// Unusable rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Unusable start.
    #[error(transparent)]
    Start(#[from] FenError),
    /// The game would be over before it begins.
    #[error("the game is over at its start: {0}")]
    Over(nebel_kriegspiel::Over),
    /// Unusable terms.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// The disk fails.
    #[error("games cannot be kept: {0}")]
    Store(#[from] StoreError),
    /// A game on the disk cannot be read.
    #[error("the game is damaged")]
    Damaged,
    /// No secrets can be made.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
    /// Too much to do.
    #[error(transparent)]
    Busy(#[from] Busy),
}

/// A new game, with the seats of its people.
pub(crate) struct Created {
    pub(crate) id: String,
    /// White's and Black's, where a person plays.
    pub(crate) tokens: [Option<Token>; 2],
}

impl Created {
    /// The seat of a side, if a person plays it.
    pub(crate) fn seat(&self, side: Color) -> Option<NewSeat> {
        let [white, black] = &self.tokens;
        let token = if side == Color::White { white } else { black };
        Some(NewSeat { id: self.id.clone(), token: token.as_ref()?.reveal(), side: name(side) })
    }
}

/// A game that is over, with all that was hidden. There is no such value of a running game.
pub(crate) struct Finished {
    pub(crate) transcript: Transcript,
}

/// What everybody may know of a game.
pub(crate) struct Public {
    pub(crate) header: Header,
    pub(crate) terms: Terms,
    pub(crate) over: Option<OverFacts>,
}

impl Games {
    /// Begins with the games of a store; those that run are taken up again.
    pub(crate) async fn restore(services: Services) -> Result<Games, GameError> {
        let games = Games { services, tables: Arc::default() };
        for id in games.services.store.untouched(games.services.limits.idle).await? {
            games.services.store.write(Change::Delete { id }).await?;
        }
        for id in games.services.store.running().await? {
            match games.table(&id).await {
                // One that cannot be read is left where it is; the others must not suffer.
                Ok(_) | Err(GameError::Damaged) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(games)
    }

    /// A game as somebody wants it, and the side that he plays.
    pub(crate) async fn create(&self, wanted: &NewGame) -> Result<(Created, Color), GameError> {
        let rules = Rules::by_name(&wanted.rules)?;
        let position = start::position(wanted.start.as_deref().unwrap_or(start::STANDARD))?;
        let lot: [u8; 9] = secret::random()?;
        let side = match wanted.side {
            WantedSide::White => Color::White,
            WantedSide::Black => Color::Black,
            WantedSide::Random => Color::from_white(lot[0].is_multiple_of(2)),
        };
        let seed = u64::from_le_bytes(std::array::from_fn(|index| lot[index + 1]));
        let terms = wanted.terms(side, seed)?;
        Ok((self.begin(terms, Header::at(rules, position)).await?, side))
    }

    /// A game on these terms.
    async fn begin(&self, terms: Terms, mut header: Header) -> Result<Created, GameError> {
        header.white = Some(terms.player(Color::White));
        header.black = Some(terms.player(Color::Black));
        let transcript = Transcript::new(header);
        if let Some(over) = transcript.umpire().over() {
            return Err(GameError::Over(over));
        }
        let id = secret::new_id()?;
        let token = |side| terms.is_person(side).then(Token::new).transpose();
        let tokens = [token(Color::White)?, token(Color::Black)?];
        let fingerprints = tokens.each_ref().map(|token| token.as_ref().map(Token::fingerprint));
        let left = [terms.clock.map_or(0, |clock| clock.initial_ms); 2];
        let mut tables = self.room_for_one_more().await?;
        let row = Row {
            id: id.clone(),
            header: transcript.header().to_json(None),
            terms: serde_json::to_string(&terms).unwrap_or_default(),
            tokens: fingerprints.map(|fingerprint| fingerprint.map(Fingerprint::to_text)),
            left,
            is_over: false,
            events: Vec::new(),
        };
        self.services.store.write(Change::Create(Box::new(row))).await?;
        let table = Table::new(id.clone(), terms, transcript, left, self.clone());
        tables.insert(id.clone(), TableHandle::of(table, fingerprints));
        Ok(Created { id, tokens })
    }

    /// The game after this one: the same with sides swapped.
    async fn begin_rematch(&self, terms: &Terms, header: &Header) -> Result<Created, GameError> {
        let seed = u64::from_le_bytes(secret::random()?);
        self.begin(terms.swapped(seed), Header::at(header.rules.clone(), header.start.clone())).await
    }

    /// The table of a game, which is loaded if it is not there.
    pub(crate) async fn table(&self, id: &str) -> Result<TableHandle, GameError> {
        if let Some(handle) = self.tables.lock().await.get(id)
            && !handle.is_closed()
        {
            return Ok(handle.clone());
        }
        let row = self.services.store.read(id).await?.ok_or(GameError::Unknown)?;
        let (row, transcript) = replay(row).await?;
        let mut tables = self.room_for_one_more().await?;
        if let Some(handle) = tables.get(id) {
            // Somebody else was faster, and what he has is newer.
            return Ok(handle.clone());
        }
        let terms: Terms = serde_json::from_str(&row.terms).map_err(|_| GameError::Damaged)?;
        let fingerprints =
            row.tokens.map(|fingerprint| fingerprint.as_deref().and_then(Fingerprint::from_text));
        let table = Table::new(row.id, terms, transcript, row.left, self.clone());
        let handle = TableHandle::of(table, fingerprints);
        tables.insert(id.to_owned(), handle.clone());
        Ok(handle)
    }

    async fn room_for_one_more(
        &self,
    ) -> Result<tokio::sync::MutexGuard<'_, BTreeMap<String, TableHandle>>, GameError> {
        let mut tables = self.tables.lock().await;
        tables.retain(|_, handle| !handle.is_closed());
        if tables.len() >= self.services.limits.games { Err(GameError::TooMany) } else { Ok(tables) }
    }

    /// The games that are in memory.
    pub(crate) async fn held(&self) -> BTreeSet<String> {
        let tables = self.tables.lock().await;
        tables.iter().filter(|(_, handle)| !handle.is_closed()).map(|(id, _)| id.clone()).collect()
    }

    /// What everybody may know of a game.
    pub(crate) async fn public(&self, id: &str) -> Result<Public, GameError> {
        let row = self.services.store.read(id).await?.ok_or(GameError::Unknown)?;
        let header = json::read(row.header.as_bytes()).map_err(|_| GameError::Damaged)?.header().clone();
        let last = row.events.last().filter(|_| row.is_over).map(|event| Event::from_json(event));
        let over = last.transpose().map_err(|_| GameError::Damaged)?.and_then(|event| event.over());
        let terms = serde_json::from_str(&row.terms).map_err(|_| GameError::Damaged)?;
        Ok(Public { terms, over: over.map(OverFacts::from), header })
    }

    /// A game that is over; `None` while it runs.
    pub(crate) async fn finished(&self, id: &str) -> Result<Option<Finished>, GameError> {
        let row = self.services.store.read(id).await?.ok_or(GameError::Unknown)?;
        if !row.is_over {
            return Ok(None);
        }
        let (_, transcript) = replay(row).await?;
        Ok(transcript.umpire().over().is_some().then_some(Finished { transcript }))
    }

    /// The limits of the server.
    pub(crate) fn limits(&self) -> Arc<Limits> {
        Arc::clone(&self.services.limits)
    }

    /// Writes what is not written and closes all tables.
    pub(crate) async fn close(&self) {
        let tables = std::mem::take(&mut *self.tables.lock().await);
        for handle in tables.into_values() {
            handle.close().await;
        }
    }
}

/// The game as the umpire knows it, every answer checked again. Long games take a while, so other threads do it.
async fn replay(row: Row) -> Result<(Row, Transcript), GameError> {
    let replayed = tokio::task::spawn_blocking(move || {
        let mut text = row.header.clone();
        for event in &row.events {
            text.push('\n');
            text.push_str(event);
        }
        match json::read(text.as_bytes()) {
            Ok(Record::Transcript(transcript)) => Ok((row, *transcript)),
            Ok(Record::View(_)) | Err(_) => Err(GameError::Damaged),
        }
    });
    replayed.await.unwrap_or(Err(GameError::Damaged))
}
