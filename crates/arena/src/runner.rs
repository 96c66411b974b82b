//! Plays the games of a schedule and keeps each as it ends.
//!
//! A game is a [unit of work](crate::work): it is played by a thread of this process or by a worker of the
//! [farm](crate::farm), and taken by the caller's thread, which alone writes results. The games that are in the store are not
//! played again, so a run that is killed goes on where it was.

use std::collections::{BTreeMap, BTreeSet};

use nebel_kriegspiel::{Color, json as lines, start, transcript::Record};
use nebel_players::SpecError;
use serde_json::{Value, json};
use thiserror::Error;

use crate::{
    farm::{Farm, FarmError, RunTerms},
    game::MatchTerms,
    identity::{IdentityError, Introductions},
    judging::Judging,
    schedule::{Fixture, Schedule, first_color},
    score::{Score, Tally, half_points},
    statistics::Sprt,
    store::{Row, Store, StoreError, Versions},
    time::Times,
    work::{
        Cancel, Unit, Work,
        collect::{Job, Kept, collect},
        game::{GameResult, GameUnit, Games, SideResult},
        queue::QueueError,
        replay::words,
        threads::Threads,
    },
};

/// How a schedule is played.
#[derive(Clone, Debug)]
pub struct Run {
    /// The games.
    pub schedule: Schedule,
    /// What all games share; the start is the schedule's.
    pub terms: MatchTerms,
    /// How long the first and the second of each pair may think.
    pub times: Times,
    /// Where they are played.
    pub place: Place,
    /// Stop a match of two when this test is decided.
    pub sprt: Option<Sprt>,
    /// Which games of earlier runs count.
    pub versions: Versions,
}

/// Where units of work are done.
#[derive(Clone, Debug)]
pub enum Place {
    /// By so many threads of this process.
    Here(usize),
    /// The same, until somebody raises the flag: the run then fails with [`QueueError::Interrupted`].
    Until(usize, Cancel),
    /// By the workers of a farm.
    Farm(Farm),
}

impl Place {
    /// Has the units of a job done there.
    pub fn collect<J>(&self, job: &mut J, work: &dyn Work, terms: &RunTerms) -> Result<(), J::Error>
    where
        J: Job,
        J::Error: From<FarmError> + From<QueueError>,
    {
        match self {
            Place::Here(jobs) => collect(job, &mut Threads::new(work, *jobs, Cancel::default()), None),
            Place::Until(jobs, cancel) => collect(job, &mut Threads::new(work, *jobs, cancel.clone()), None),
            Place::Farm(farm) => farm.collect(job, work, terms),
        }
    }

    /// Units at a time, as far as that is known.
    pub fn jobs(&self) -> Option<usize> {
        match self {
            Place::Here(jobs) | Place::Until(jobs, _) => Some((*jobs).max(1)),
            Place::Farm(_) => None,
        }
    }
}

/// Why a run failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// A spec names no player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It cannot be said who plays.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// Results could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The farm cannot be used.
    #[error(transparent)]
    Farm(#[from] FarmError),
    /// Games could not be played.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

/// What the caller is told after each game.
pub struct Progress<'a> {
    /// The game that has just ended.
    pub row: &'a Row,
    /// Games that are there, those of earlier runs included.
    pub done: u32,
    /// Games in the schedule.
    pub of: u32,
    /// The score of the schedule's first player so far.
    pub score: &'a Score,
}

impl Run {
    /// The terms by which a match is known in a store, besides who plays. The number of games is not among them, so that
    /// a match can be made longer.
    pub fn kept_terms(&self) -> Value {
        json!({
            "players": self.schedule.players,
            "pairs": self.schedule.pairs,
            "rules": self.terms.rules,
            "starts": self.schedule.starts.terms(),
            "time": self.times.to_string(),
            "max_moves": self.terms.max_moves,
            "seed": self.schedule.seed,
        })
    }

    /// Plays what is missing. Returns all games of the schedule that are there at the end.
    pub fn play(&self, store: &Store, report: impl FnMut(Progress<'_>)) -> Result<Vec<Row>, RunError> {
        self.play_match(self.begin(store)?, store, report)
    }

    /// Finds out who plays, and the match of these contestants in a store, which may be a new one.
    pub fn begin(&self, store: &Store) -> Result<i64, RunError> {
        for spec in &self.schedule.players {
            self.schedule.guests.player(spec)?;
        }
        let introductions = if store.is_kept() { Introductions::Asked } else { Introductions::Skipped };
        let contestants = self.schedule.guests.identities(&self.schedule.players, introductions)?;
        Ok(store.match_of(&self.kept_terms(), &contestants)?)
    }

    /// Plays what is missing of a match that has begun.
    pub fn play_match(
        &self,
        match_id: i64,
        store: &Store,
        report: impl FnMut(Progress<'_>),
    ) -> Result<Vec<Row>, RunError> {
        let total = self.schedule.len();
        let mut names = BTreeMap::new();
        for spec in &self.schedule.players {
            names.insert(spec.clone(), self.schedule.guests.player(spec)?.spec());
        }
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        for row in store.counted(match_id, self.versions)?.into_iter().filter(|row| row.number < total) {
            rows.insert(row.number, row);
        }
        let mut job = MatchJob {
            run: self,
            store,
            match_id,
            names,
            missing: (0..total).filter(|number| !rows.contains_key(number)).collect(),
            rows,
            tally: Tally::default(),
            judging: Judging::by(self.sprt),
            report,
        };
        job.count_anew();
        if !(job.missing.is_empty() || job.is_over()) {
            let games = Games::with_guests(self.schedule.guests.clone());
            self.place.collect(&mut job, &games, &self.farm_terms())?;
        }
        Ok(job.rows.into_values().collect())
    }

    /// What workers are told of the run.
    fn farm_terms(&self) -> RunTerms {
        RunTerms {
            title: format!("{}, {}", self.schedule.players.join(" – "), self.times),
            identity: self.kept_terms(),
            subjects: self.schedule.players.clone(),
        }
    }

    /// A game as a unit of work.
    fn unit(&self, fixture: &Fixture) -> GameUnit {
        GameUnit {
            rules: self.terms.rules.clone(),
            start: start::fen(&fixture.start),
            white: fixture.white.clone(),
            black: fixture.black.clone(),
            seeds: fixture.seeds,
            times: Color::ALL.map(|color| self.times.of(color == fixture.first)),
            max_moves: self.terms.max_moves,
        }
    }

    /// Judges the games of a match of two.
    pub fn judge<'a>(&self, rows: impl IntoIterator<Item = &'a Row>) -> Judging {
        let mut judging = Judging::by(self.sprt);
        for row in rows {
            judging.add(row.round, half_points(first_color(row.round), row.over));
        }
        judging
    }

    /// Who meets whom in a game.
    fn pairing(&self, row: &Row) -> Option<(usize, usize)> {
        let pairs = self.schedule.pairs.len().max(1) as u32;
        self.schedule.pairs.get((row.number % pairs) as usize).copied()
    }

    /// Counts a game for the schedule's first player, if it plays in it.
    fn count(&self, tally: &mut Tally, row: &Row) {
        // In a match of a player against itself, the one who has White in even rounds is seen as first.
        if let Some((0, second)) = self.pairing(row) {
            tally.add((second as i64, row.round / 2), first_color(row.round), row.over, row.ending);
        }
    }

    /// The scores of all players against all: `table[a][b]` is a's against b.
    pub fn table(&self, rows: &[Row]) -> Vec<Vec<Score>> {
        let count = self.schedule.players.len();
        let mut table = vec![vec![Tally::default(); count]; count];
        for row in rows {
            let Some((a, b)) = self.pairing(row) else { continue };
            let (color, pair) = (first_color(row.round), (0, row.round / 2));
            table[a][b].add(pair, color, row.over, row.ending);
            table[b][a].add(pair, !color, row.over, row.ending);
        }
        table.into_iter().map(|scores| scores.into_iter().map(Tally::into_score).collect()).collect()
    }
}

/// A run whose games are being played.
struct MatchJob<'a, F> {
    run: &'a Run,
    store: &'a Store,
    match_id: i64,
    /// What each spec's player calls itself.
    names: BTreeMap<String, String>,
    /// Games that nobody was given yet.
    missing: BTreeSet<u32>,
    /// Games that are there.
    rows: BTreeMap<u32, Row>,
    /// The score of the schedule's first player.
    tally: Tally,
    judging: Judging,
    report: F,
}

impl<F: FnMut(Progress<'_>)> MatchJob<'_, F> {
    fn fixture(&self, number: u64) -> Option<Fixture> {
        let number = u32::try_from(number).ok().filter(|&number| number < self.run.schedule.len())?;
        Some(self.run.schedule.fixture(number))
    }

    /// Counts all games that are there.
    fn count_anew(&mut self) {
        self.tally = Tally::default();
        for row in self.rows.values() {
            self.run.count(&mut self.tally, row);
        }
        self.judging = self.run.judge(self.rows.values());
    }
}

impl<F: FnMut(Progress<'_>)> Job for MatchJob<'_, F> {
    type Error = RunError;

    fn next(&mut self) -> Option<Unit> {
        let number = self.missing.pop_first()?;
        self.unit(u64::from(number))
    }

    fn wants(&self, number: u64) -> bool {
        self.fixture(number).is_some_and(|fixture| !self.rows.contains_key(&fixture.number))
    }

    fn unit(&self, number: u64) -> Option<Unit> {
        let unit = self.run.unit(&self.fixture(number)?);
        Some(Unit { number, payload: serde_json::to_vec(&unit).ok()? })
    }

    fn keep(&mut self, number: u64, worker: Option<&str>, result: &[u8]) -> Result<Kept, RunError> {
        let Some(fixture) = self.fixture(number) else {
            return Ok(Kept::Refused("it is no game of this run".to_owned()));
        };
        if self.rows.contains_key(&fixture.number) {
            return Ok(Kept::Known);
        }
        let unit = self.run.unit(&fixture);
        let terms = MatchTerms { start: fixture.start.clone(), ..self.run.terms.clone() };
        let names =
            [&fixture.white, &fixture.black].map(|spec| self.names.get(spec).unwrap_or(spec).as_str());
        let played = serde_json::from_slice::<GameResult>(result)
            .map_err(|error| error.to_string())
            .and_then(|result| result.replay(&terms, names, unit.times));
        let played = match played {
            Ok(played) => played,
            Err(why) => return Ok(Kept::Refused(why)),
        };
        if let Some(worker) = worker {
            self.store.credit(self.match_id, fixture.number, worker)?;
        }
        self.store.keep(self.match_id, &fixture, &played)?;
        let Some(row) = self.store.game(self.match_id, fixture.number)? else {
            return Ok(Kept::Known);
        };
        self.run.count(&mut self.tally, &row);
        self.judging.add(row.round, half_points(first_color(row.round), row.over));
        let (done, of) = (self.rows.len() as u32 + 1, self.run.schedule.len());
        (self.report)(Progress { row: &row, done, of, score: self.tally.score() });
        self.missing.remove(&row.number);
        self.rows.insert(row.number, row);
        Ok(Kept::New)
    }

    fn forget(&mut self, number: u64) -> Result<(), RunError> {
        let Some(fixture) = self.fixture(number) else { return Ok(()) };
        self.store.forget(self.match_id, fixture.number)?;
        self.rows.remove(&fixture.number);
        self.count_anew();
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.judging.is_decided()
    }

    fn progress(&self) -> (u64, Option<u64>) {
        (self.rows.len() as u64, Some(u64::from(self.run.schedule.len())))
    }

    fn agrees(&self, number: u64, claimed: &[u8], repeated: &[u8]) -> Option<bool> {
        self.run.unit(&self.fixture(number)?).repeats().then(|| {
            let game = |bytes| serde_json::from_slice::<GameResult>(bytes).ok();
            let same = |a: GameResult, b: GameResult| (a.said, a.end) == (b.said, b.end);
            game(claimed).zip(game(repeated)).is_some_and(|(claimed, repeated)| same(claimed, repeated))
        })
    }

    fn credits(&self) -> Vec<(u64, String)> {
        let credits = self.store.credits(self.match_id).unwrap_or_default();
        credits.into_iter().map(|(number, worker)| (u64::from(number), worker)).collect()
    }

    fn kept(&self, number: u64) -> Option<Vec<u8>> {
        let row = self.rows.get(&u32::try_from(number).ok()?)?;
        let Ok(Record::Transcript(transcript)) = lines::read(row.transcript.as_bytes()) else { return None };
        let (said, end) = words(&transcript);
        serde_json::to_vec(&GameResult { said, end, sides: [SideResult::default(), SideResult::default()] })
            .ok()
    }
}
