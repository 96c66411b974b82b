//! Plays the games of a schedule in parallel and keeps each as it ends.
//!
//! Workers take the next number that is not in the store, each with players of its own; one thread,
//! the caller's, writes results. So a run that is killed goes on where it was.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use nebel_kriegspiel::Color;
use nebel_players::{Player, SpecError, by_spec};
use serde_json::{Value, json};
use thiserror::Error;

use crate::{
    game::{Contestant, MatchTerms, Played, play},
    identity::{Identity, IdentityError, Introductions},
    judging::Judging,
    schedule::{Fixture, Schedule, first_color},
    score::{Score, Tally, half_points},
    statistics::Sprt,
    store::{Row, Store, StoreError, Versions},
    time::Times,
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
    /// Games at a time.
    pub jobs: usize,
    /// Stop a match of two when this test is decided.
    pub sprt: Option<Sprt>,
    /// Which games of earlier runs count.
    pub versions: Versions,
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
            by_spec(spec)?;
        }
        let introductions = if store.is_kept() { Introductions::Asked } else { Introductions::Skipped };
        let contestants = Identity::of_all(&self.schedule.players, introductions)?;
        Ok(store.match_of(&self.kept_terms(), &contestants)?)
    }

    /// Plays what is missing of a match that has begun.
    pub fn play_match(
        &self,
        match_id: i64,
        store: &Store,
        mut report: impl FnMut(Progress<'_>),
    ) -> Result<Vec<Row>, RunError> {
        let total = self.schedule.len();
        let mut rows = store.counted(match_id, self.versions)?;
        rows.retain(|row| row.number < total);
        let there: BTreeSet<u32> = rows.iter().map(|row| row.number).collect();
        let mut first = Tally::default();
        for row in &rows {
            self.count(&mut first, row);
        }
        let mut judging = self.judge(&rows);
        let missing = Mutex::new((0..total).filter(|number| !there.contains(number)));
        let stop = AtomicBool::new(judging.is_decided());
        thread::scope(|scope| -> Result<(), RunError> {
            let (sender, results) = mpsc::sync_channel::<(Fixture, Played)>(self.jobs.max(1));
            for _ in 0..self.jobs.max(1) {
                let (sender, missing, stop) = (sender.clone(), &missing, &stop);
                scope.spawn(move || self.work(missing, stop, &sender));
            }
            drop(sender);
            // On an error the receiver is dropped, and the workers end with their current games.
            for (fixture, played) in results {
                let kept = store
                    .keep(match_id, &fixture, &played)
                    .and_then(|()| store.game(match_id, fixture.number));
                let row = match kept {
                    Ok(Some(row)) => row,
                    Ok(None) => continue,
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error.into());
                    }
                };
                self.count(&mut first, &row);
                judging.add(row.round, half_points(first_color(row.round), row.over));
                report(Progress { row: &row, done: rows.len() as u32 + 1, of: total, score: first.score() });
                rows.push(row);
                if judging.is_decided() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            Ok(())
        })?;
        rows.sort_by_key(|row| row.number);
        Ok(rows)
    }

    fn work(
        &self,
        missing: &Mutex<impl Iterator<Item = u32>>,
        stop: &AtomicBool,
        results: &mpsc::SyncSender<(Fixture, Played)>,
    ) {
        let mut players: Vec<(String, Box<dyn Player>)> = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let next = missing.lock().ok().and_then(|mut missing| missing.next());
            let Some(number) = next else { return };
            let fixture = self.schedule.fixture(number);
            // A player of each side, kept from game to game; a player may meet itself.
            let [white, black] = [&fixture.white, &fixture.black].map(|spec| take_player(&mut players, spec));
            let (Some(mut white), Some(mut black)) = (white, black) else { return };
            let terms = MatchTerms { start: fixture.start.clone(), ..self.terms.clone() };
            let [white_seed, black_seed] = fixture.seeds;
            let [white_time, black_time] = Color::ALL.map(|color| self.times.of(color == fixture.first));
            let played = play(
                &terms,
                Contestant { player: &mut *white.1, seed: white_seed, time: white_time },
                Contestant { player: &mut *black.1, seed: black_seed, time: black_time },
                |_| {},
            );
            players.extend([white, black]);
            if results.send((fixture, played)).is_err() {
                return;
            }
        }
    }

    /// Judges the games of a match of two.
    pub fn judge(&self, rows: &[Row]) -> Judging {
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

fn take_player(
    players: &mut Vec<(String, Box<dyn Player>)>,
    spec: &str,
) -> Option<(String, Box<dyn Player>)> {
    if let Some(index) = players.iter().position(|(name, _)| name == spec) {
        return Some(players.swap_remove(index));
    }
    Some((spec.to_owned(), by_spec(spec).ok()?))
}
