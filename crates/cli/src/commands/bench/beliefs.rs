//! Beliefs: random games tracked by both sides in both orders, and what the sets say.

use nebel_belief::{Announce, History, HistorySampler, Limit, Statistics, Stream, Tracker, sample};
use nebel_kriegspiel::{Chess, Color, start};

use super::{
    Done, Work,
    games::{random_game, rulesets, seed_of},
    signature::Signature,
};
use crate::failure::Failure;

const GAMES: usize = 10;
const PLIES: usize = 60;
/// A side stops listening when its belief is larger.
const POSITIONS: usize = 30_000;
/// Announcements are worked out in so many positions.
const ANNOUNCED: usize = 50;
const WALKS: usize = 20;

/// The start of the game and three later positions, with castling, promotions and captures en passant near.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p6p/8/1P4p1/1p4P1/8/P6P/R3K2R w KQkq - 0 1",
    "4k3/P2p3p/8/2P1P3/2p1p3/8/p2P3P/4K3 w - - 0 1",
    "3qk3/2r2b2/5n2/8/8/2N2B2/2R5/3QK3 b - - 0 1",
];

pub(super) fn run(work: Work) -> Result<Done, Failure> {
    let (mut signature, mut successors) = (Signature::default(), 0);
    for (number, rules) in rulesets() {
        for game in 0..work.pieces(GAMES) {
            let seed = seed_of(work.seed, 1, number, game);
            let fen = STARTS[(seed as usize).wrapping_add(game) % STARTS.len()];
            let start = start::position(fen).map_err(|error| Failure::input(fen, error))?;
            let game = random_game(&rules, &start, PLIES, seed);
            for side in Color::ALL {
                let mut listener = Listener { signature: &mut signature, seed };
                successors += listener.listen(&start, &game.view(side));
            }
        }
    }
    Ok(Done { signature, count: successors, unit: "successors" })
}

struct Listener<'a> {
    signature: &'a mut Signature,
    seed: u64,
}

impl Listener<'_> {
    /// Tracks a view as far as it fits, then streams and samples the same events. Gives the positions found on the way.
    fn listen(&mut self, start: &Chess, view: &nebel_kriegspiel::View) -> u64 {
        let rules = view.header().rules.clone();
        let mut tracker = Tracker::new(rules.clone(), start, view.side(), Limit::positions(POSITIONS));
        let mut heard = 0;
        for event in view.events() {
            if tracker.hear(event).is_err() {
                break;
            }
            heard += 1;
            self.signature.number(tracker.len() as u64);
        }
        self.signature.number(tracker.peak() as u64);
        self.signature.set(tracker.positions().map(|position| start::fen(&position)));
        let some = sample::uniform(tracker.set(), ANNOUNCED, self.seed);
        self.count(&Statistics::gather(tracker.hearing(), some.into_iter(), Announce::Everything));
        self.count(&Statistics::gather(tracker.hearing(), tracker.set().iter(), Announce::Nothing));
        let Ok(history) = History::new(rules, start, view.side(), &view.events()[..heard]) else { return 0 };
        self.stream(&history);
        tracker.successors()
    }

    fn stream(&mut self, history: &History) {
        let fen = |key| history.position(key).map_or(String::new(), |position| start::fen(&position));
        self.signature.set(history.stream(Stream::CACHE).map(fen));
        for walked in HistorySampler::new(history, self.seed, 100).take(WALKS) {
            self.signature.text(&fen(walked.key));
        }
    }

    fn count(&mut self, statistics: &Statistics) {
        self.signature.number(statistics.positions());
        for attempt in statistics.attempts() {
            self.signature.text(&attempt.attempt.to_string());
            self.signature.number(attempt.legal);
            for (announcement, count) in &attempt.announcements {
                self.signature.text(&announcement.text(Color::White));
                self.signature.number(*count);
            }
        }
    }
}
