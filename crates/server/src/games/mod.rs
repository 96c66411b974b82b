//! Games: created, found, restored; each runs in a task of its own.
//!
//! | concept | module |
//! |---|---|
//! | who plays, and how | [`terms`] |
//! | the task that owns a game, and the position; those in memory | [`table`], [`tables`] |
//! | one side of it, and all its handlers can reach | [`seat`], [`handle`] |
//! | what goes through the WebSocket | [`messages`], [`socket`] |
//! | the machine's turns and when they are shown | [`machine`], [`turns`] |
//! | the threads it thinks on, and what each turn can have | [`thinkers`], [`pace`] |
//! | the clocks, who is there, another game | [`clock`], [`care`] |
//! | draws by agreement, moves taken back | [`accord`] |
//! | the belief shown in practice games | [`practice`] |
//! | games on disk | [`store`], [`writer`] |

mod accord;
mod care;
pub(crate) mod clock;
mod handle;
pub(crate) mod machine;
pub(crate) mod messages;
mod pace;
mod practice;
pub(crate) mod seat;
pub(crate) mod socket;
pub(crate) mod store;
mod tables;
mod task;
pub(crate) mod terms;
pub(crate) mod thinkers;
mod turns;
pub(crate) mod writer;

use std::{collections::BTreeSet, sync::Arc, time::SystemTime};

use nebel_kriegspiel::{
    Color, Event, Header, Rules, Transcript,
    json::{self, Side},
    rules::RulesError,
    start::{self, FenError},
    words::Listener,
};
use thiserror::Error;
use tokio::sync::Semaphore;

use self::{
    handle::TableHandle,
    messages::{NewSeat, OverFacts},
    store::{Row, Store, StoreError},
    tables::Tables,
    task::GameTask,
    terms::{GameTerms, NewGame, TermsError, WantedSide},
    thinkers::Thinkers,
    writer::{Change, Forget, Which},
};
use crate::{
    limits::ServerLimits,
    pool::{Busy, Pool},
    secret::{self, Fingerprint, NoRandomness, Token},
};

/// All games; clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Games {
    services: Services,
    tables: Tables,
}

/// What tables work with.
#[derive(Clone, Debug)]
pub(crate) struct Services {
    pub(crate) store: Store,
    /// Threads for players.
    pub(crate) thinkers: Thinkers,
    /// Threads for beliefs.
    pub(crate) analysis: Pool,
    pub(crate) limits: Arc<ServerLimits>,
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
    /// The machine could not keep its times.
    #[error("so many play against the machine that it could not answer in time: try again later")]
    TooManyMachines,
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
        Some(NewSeat { id: self.id.clone(), token: token.as_ref()?.reveal(), side: Side::of(side) })
    }
}

/// A game that is over, with all that was hidden. There is no such value of a running game.
pub(crate) struct Finished {
    pub(crate) transcript: Transcript,
}

/// What everybody may know of a game.
pub(crate) struct Public {
    pub(crate) header: Header,
    pub(crate) terms: GameTerms,
    pub(crate) over: Option<OverFacts>,
    /// Whose turn it is, while it goes on.
    pub(crate) turn: Option<Color>,
}

impl Games {
    /// The games of a store. Each is taken up when somebody comes to it, so that neither many of them nor a damaged one
    /// can hold up the others.
    pub(crate) async fn restore(services: Services) -> Games {
        let games = Games { services, tables: Tables::default() };
        // A disk that fails is said by the thread that writes to it; who comes may still read.
        let _ = games.forget().await;
        games
    }

    /// Forgets games by age and number. What is in memory is kept.
    pub(crate) async fn forget(&self) -> Result<(), StoreError> {
        let limits = &self.services.limits;
        for which in [
            Which::Untouched(limits.idle),
            Which::Old(limits.finished_age),
            Which::MoreThan(limits.finished_games),
        ] {
            while self.forget_some(which).await? > 0 {}
        }
        Ok(())
    }

    async fn forget_some(&self, which: Which) -> Result<usize, StoreError> {
        let in_memory = self.tables.names();
        self.services.store.write(Change::Forget(Forget { which, in_memory })).await
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
        Ok((self.begin(terms, Header::at(rules, position).dated(SystemTime::now())).await?, side))
    }

    /// A game on these terms.
    async fn begin(&self, terms: GameTerms, mut header: Header) -> Result<Created, GameError> {
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
        let place = self.tables.place(self.services.limits.games).ok_or(GameError::TooMany)?;
        let machine_game = match terms.machine {
            Some(_) => {
                let game = self.services.thinkers.new_game(self.services.limits.shortest_turn);
                Some(game.ok_or(GameError::TooManyMachines)?)
            }
            None => None,
        };
        self.room_in_the_file().await?;
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
        let table = GameTask::new(id.clone(), terms, transcript, left, self.clone(), machine_game);
        place.take(&id, table, fingerprints);
        Ok(Created { id, tokens })
    }

    /// Makes room in the file: games in which nobody has ever moved go before others are refused.
    async fn room_in_the_file(&self) -> Result<(), GameError> {
        let most = self.services.limits.unfinished_games;
        let unfinished = self.services.store.unfinished().await?;
        let is_full =
            unfinished >= most && self.forget_some(Which::NeverBegun(unfinished + 1 - most)).await? == 0;
        if is_full { Err(GameError::TooMany) } else { Ok(()) }
    }

    /// The game after this one: the same with sides swapped.
    async fn begin_rematch(&self, terms: &GameTerms, header: &Header) -> Result<Created, GameError> {
        let seed = u64::from_le_bytes(secret::random()?);
        let next = Header::at(header.rules.clone(), header.start.clone()).dated(SystemTime::now());
        self.begin(terms.swapped(seed), next).await
    }

    /// The table of a game, which is loaded if it is not there.
    pub(crate) async fn table(&self, id: &str) -> Result<TableHandle, GameError> {
        if let Some(handle) = self.tables.get(id) {
            return Ok(handle);
        }
        let place = self.tables.place(self.services.limits.games).ok_or(GameError::TooMany)?;
        let (row, transcript) = self.replay(self.row(id).await?).await?;
        let terms = match GameTerms::read(&row.terms) {
            Ok(terms) => terms,
            Err(why) => return Err(self.set_aside(id, why).await),
        };
        let is_running = transcript.umpire().over().is_none();
        let machine_game = (is_running && terms.machine.is_some()).then(|| self.services.thinkers.game());
        let fingerprints =
            row.tokens.map(|fingerprint| fingerprint.as_deref().and_then(Fingerprint::from_text));
        let table = GameTask::new(row.id, terms, transcript, row.left, self.clone(), machine_game);
        Ok(place.take(id, table, fingerprints))
    }

    /// The games that are in memory.
    pub(crate) fn held(&self) -> BTreeSet<String> {
        self.tables.names()
    }

    /// What everybody may know of a game.
    pub(crate) async fn public(&self, id: &str) -> Result<Public, GameError> {
        let row = self.row(id).await?;
        match row.public() {
            Ok(public) => Ok(public),
            Err(why) => Err(self.set_aside(id, why).await),
        }
    }

    /// A game that is over; `None` while it runs.
    pub(crate) async fn finished(&self, id: &str) -> Result<Option<Finished>, GameError> {
        let row = self.row(id).await?;
        if !row.is_over {
            return Ok(None);
        }
        let (_, transcript) = self.replay(row).await?;
        Ok(transcript.umpire().over().is_some().then_some(Finished { transcript }))
    }

    /// A game as it is kept.
    async fn row(&self, id: &str) -> Result<Row, GameError> {
        match self.services.store.read(id).await {
            Ok(row) => row.ok_or(GameError::Unknown),
            Err(StoreError::SetAside) => Err(GameError::Damaged),
            Err(StoreError::Damaged(why)) => Err(self.set_aside(id, why).await),
            Err(error) => Err(error.into()),
        }
    }

    /// The game as the umpire knows it, every answer checked again. Long games take a while, so other threads do it.
    async fn replay(&self, row: Row) -> Result<(Row, Transcript), GameError> {
        let id = row.id.clone();
        let replayed =
            tokio::task::spawn_blocking(move || row.transcript().map(|transcript| (row, transcript)));
        match replayed.await.unwrap_or_else(|_| Err("the umpire cannot replay it".to_owned())) {
            Ok(replayed) => Ok(replayed),
            Err(why) => Err(self.set_aside(&id, why).await),
        }
    }

    /// Takes a game that cannot be read out of the way; the others go on.
    async fn set_aside(&self, id: &str, why: String) -> GameError {
        match self.services.store.write(Change::SetAside { id: id.to_owned(), why }).await {
            Ok(_) => GameError::Damaged,
            Err(error) => error.into(),
        }
    }

    /// The games on disk.
    pub(crate) fn store(&self) -> Store {
        self.services.store.clone()
    }

    /// The limits of the server.
    pub(crate) fn limits(&self) -> Arc<ServerLimits> {
        Arc::clone(&self.services.limits)
    }

    /// Writes what is not written and closes all tables.
    pub(crate) async fn close(&self) {
        let tables = self.tables.take_all();
        // All are told before any is waited for, so that they are written together.
        let closing: Vec<_> =
            tables.into_iter().map(|handle| tokio::spawn(async move { handle.close().await })).collect();
        for table in closing {
            let _ = table.await;
        }
    }
}

impl Row {
    /// What everybody may know of it.
    fn public(&self) -> Result<Public, String> {
        let header = json::read(self.header.as_bytes()).map_err(|error| error.to_string())?.header().clone();
        let last = self.events.last().filter(|_| self.is_over).map(|event| Event::from_json(event));
        let over = last.transpose().map_err(|error| error.to_string())?.and_then(|event| event.over());
        let is_move =
            |event: &&String| Event::from_json(event).is_ok_and(|event| event.announcement().is_some());
        let moves = if self.is_over { 0 } else { self.events.iter().filter(is_move).count() };
        let first = nebel_kriegspiel::Position::turn(&header.start);
        Ok(Public {
            turn: (!self.is_over).then(|| if moves.is_multiple_of(2) { first } else { !first }),
            terms: GameTerms::read(&self.terms)?,
            over: over.map(|over| OverFacts::new(over, Listener::Umpire)),
            header,
        })
    }
}
