//! The metaposition never excludes a position that the exact tracker holds to be possible.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{SIDES, TestGame, play};
use nebel_belief::metaposition::Metaposition;
use nebel_belief::{History, HistorySampler, Limit, Men, Tracker};
use nebel_kriegspiel::{Attempt, Bitboard, Chess, Color, Event, File, Role, Rules, Umpire, start};
use nebel_position::Side;

/// Starts with few men, so that beliefs stay small: castling, promotion, en passant, pins and bare kings near.
const STARTS: [&str; 10] = [
    start::STANDARD,
    "r3k3/1p4P1/8/2pP4/4p3/8/1p3P2/4K2R w Kq c6 0 1",
    "r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R w KQkq - 0 1",
    "4k3/1p1p1p2/8/2P1P3/2p1p3/8/1P1P1P2/4K3 w - - 0 1",
    "6k1/P4p2/8/5r2/8/2R5/p4P2/6K1 w - - 0 1",
    "8/1p6/k1P5/8/8/5p1K/6P1/8 b - - 0 1",
    "r3k2r/8/3b4/3pP3/2pP4/8/8/R3K2R b KQkq d3 0 1",
    "4k3/8/8/1K1pP2r/8/8/8/4R3 w - d6 0 1",
    "4k3/8/8/8/8/8/QR6/4K3 w - - 0 1",
    "1b2k3/2p2p2/8/8/8/8/2P2P2/4K1B1 w - - 0 1",
];

/// What a metaposition excludes of a position, if anything.
fn excluded(meta: &Metaposition, own: &Men, hidden: &Men) -> Option<String> {
    let census = meta.census();
    let squares = |role| hidden.by_role(role);
    for role in Role::ALL {
        if let Some(square) = (squares(role) & !meta.may_hold(role)).first() {
            return Some(format!("a {role:?} on {square}"));
        }
    }
    let nothing = !(hidden.all | own.all);
    if let Some(square) = (nothing & !meta.may_be_empty()).first() {
        return Some(format!("nothing on {square}"));
    }
    if usize::from(census.men()) + 1 != hidden.all.count() {
        return Some(format!("{} men", hidden.all.count()));
    }
    let within = |number: usize, bounds: nebel_belief::metaposition::Bounds| {
        (usize::from(bounds.least)..=usize::from(bounds.most)).contains(&number)
    };
    if !within(hidden.pawns.count(), census.pawns()) {
        return Some(format!("{} pawns", hidden.pawns.count()));
    }
    let wrong_file = File::ALL
        .into_iter()
        .find(|&file| !within((hidden.pawns & Bitboard::from(file)).count(), census.on(file)));
    if let Some(file) = wrong_file {
        return Some(format!("the pawns on the {}-file", file.char()));
    }
    (!(hidden.castling & !meta.castling()).is_empty()).then(|| "the right to castle".to_owned())
}

/// One side's metaposition beside its exact belief, or beside random walks once that is too large.
struct Beside {
    meta: Metaposition,
    tracker: Option<Tracker>,
    heard: Vec<Event>,
    side: Color,
    compared: usize,
}

impl Beside {
    fn new(rules: &Rules, start: &Chess, side: Color) -> Beside {
        Beside {
            meta: Metaposition::new(rules, start, side),
            tracker: Some(Tracker::new(rules.clone(), start, side, Limit::positions(20_000))),
            heard: Vec::new(),
            side,
            compared: 0,
        }
    }

    fn hear(&mut self, rules: &Rules, start: &Chess, umpire: &Umpire, event: &Event) {
        let Some(heard) = event.heard_by(self.side, rules) else { return };
        self.meta.hear(&heard);
        self.heard.push(heard.into_event());
        if let Some(tracker) = &mut self.tracker
            && tracker.hear(event_of(&self.heard)).is_err()
        {
            self.tracker = None;
        }
        let own = Men::of(umpire.position(), self.side);
        assert_eq!(self.meta.own().squares(), own.all);
        self.compare(&own, &Men::of(umpire.position(), !self.side));
        if let Some(tracker) = &self.tracker {
            let keys: Vec<_> = tracker.set().iter().collect();
            for key in keys {
                self.compare(&own, &key.unpack());
            }
        } else if self.heard.len().is_multiple_of(16) {
            let history = History::new(rules.clone(), start, self.side, &self.heard).unwrap();
            let walks = HistorySampler::new(&history, self.heard.len() as u64, 20).take(10);
            let keys: Vec<_> = walks.map(|walked| walked.key).collect();
            for key in keys {
                self.compare(&own, &key.unpack());
            }
        }
    }

    fn compare(&mut self, own: &Men, hidden: &Men) {
        self.compared += 1;
        if let Some(what) = excluded(&self.meta, own, hidden) {
            panic!("{what} excluded for {:?} after {:#?}", self.side, self.heard);
        }
    }
}

/// Plays games from every start and looks at both sides' metapositions and the true position only, which is fast.
fn watch_the_truth(rules: &Rules, specs: [&str; 2], seeds: std::ops::Range<u64>) {
    for (seed, fen) in seeds.flat_map(|seed| STARTS.map(|start| (seed, start))) {
        let start = &start::position(fen).unwrap();
        let mut metas = SIDES.map(|side| Metaposition::new(rules, start, side));
        let table = TestGame { rules, start, specs, seed, nodes: 1, plies: 300 };
        play(&table, |umpire, event| {
            for (meta, side) in metas.iter_mut().zip(SIDES) {
                let Some(heard) = event.heard_by(side, rules) else { continue };
                meta.hear(&heard);
                if umpire.over().is_none() && umpire.to_move() == side {
                    let legality = meta.legality().after(umpire.turn().refused());
                    for attempt in umpire.legal_moves().iter().map(|&m| Attempt::of_move(m)) {
                        assert!(legality.may_be(attempt), "{attempt}: {}, {fen}, seed {seed}", rules.name);
                    }
                }
                let [own, hidden] = [side, !side].map(|side| Men::of(umpire.position(), side));
                if let Some(what) = excluded(meta, &own, &hidden) {
                    panic!("{what} excluded for {side:?}: {}, {fen}, seed {seed}", rules.name);
                }
            }
        });
    }
}

#[test]
fn neither_the_true_position_nor_a_legal_move_is_ever_excluded() {
    for rules in Rules::KNOWN.map(|rules| rules()) {
        for (offset, specs) in
            [["random", "random"], ["greedy", "greedy"], ["greedy", "random"]].into_iter().enumerate()
        {
            let first = 1000 * (1 + offset as u64);
            watch_the_truth(&rules, specs, first..first + 15);
        }
    }
}

fn event_of(heard: &[Event]) -> &Event {
    heard.last().unwrap()
}

/// Plays games from every start and compares both sides' metapositions after every event.
fn compare_over_games(rules: &Rules, specs: [&str; 2], seeds: std::ops::Range<u64>) -> usize {
    let mut compared = 0;
    for seed in seeds {
        for start in STARTS {
            let start = &start::position(start).unwrap();
            let mut both = SIDES.map(|side| Beside::new(rules, start, side));
            let table = TestGame { rules, start, specs, seed, nodes: 1, plies: 300 };
            play(&table, |umpire, event| {
                for beside in &mut both {
                    beside.hear(rules, start, umpire, event);
                }
            });
            compared += both.iter().map(|beside| beside.compared).sum::<usize>();
        }
    }
    compared
}

#[test]
fn no_position_of_the_belief_is_excluded_under_icc() {
    assert!(compare_over_games(&Rules::icc(), ["random", "random"], 0..3) > 500_000);
    assert!(compare_over_games(&Rules::icc(), ["greedy", "greedy"], 10..12) > 200_000);
}

#[test]
fn no_position_of_the_belief_is_excluded_under_berkeley() {
    assert!(compare_over_games(&Rules::berkeley(), ["random", "random"], 20..23) > 500_000);
    assert!(compare_over_games(&Rules::berkeley(), ["greedy", "greedy"], 30..32) > 200_000);
}

#[test]
fn no_position_of_the_belief_is_excluded_under_the_other_rules() {
    for rules in [Rules::berkeley_any(), Rules::cincinnati(), Rules::rand(), Rules::english()] {
        assert!(compare_over_games(&rules, ["random", "greedy"], 40..41) > 50_000, "{}", rules.name);
    }
}
