//! Approach A: full boards are drawn and games played out on them (Ciancarini and Favini 2010, section 5.1 and Figure 5).
//!
//! Each iteration draws a board from the belief matrices and the model's densities that agrees with the last observation, walks down the
//! tree by UCT on the own moves that are legal on it, the umpire's messages leading from turn to turn, adds one turn, and
//! plays pseudorandom moves until fifty moves bring nothing or the game is adjudged. Boards have as many men, and as many pawns on each file, as
//! can be. What makes it stronger against `random` than the paper's is looked into in `docs/papers.md`.

use nebel_belief::ViewState;
use nebel_kriegspiel::{
    Announcement, Answer, Attempt, Bitboard, Chess, Color, Event, Kind, Position, Role, Rules, Square, Tries,
    Umpire, over,
};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::Move;

use super::{
    approach::{Approach, Grown},
    choose::{Root, in_threads},
    numbers::NUMBERS,
    search::Stop,
    tree::{Branch, Messages, Tree},
};
use crate::Budget;
use nebel_belief::{
    last_observation::{Known, LastObservation},
    matrices::MatrixTracker,
    metaposition::Census,
};

/// What boards are drawn from.
struct Source<'a> {
    listener: &'a MatrixTracker,
    hearing: &'a ViewState,
    last: &'a LastObservation,
    census: &'a Census,
}

/// The tree of approach A.
struct Playouts<'a> {
    source: Source<'a>,
    /// The constant of UCT.
    c: f32,
    random: Xoshiro256PlusPlus,
    tree: Tree,
    iterations: u64,
}

/// Boards drawn, games played out on them; averages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Boards;

impl Approach for Boards {
    fn grow(
        &self,
        root: &Root<'_>,
        attempts: &[Attempt],
        stop: Stop<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Grown {
        let threads = root.settings.threads.max(1);
        let stop = Stop { nodes: stop.nodes.div_ceil(threads as u64), ..stop };
        // Each thread grows a tree of its own: a board tells of all attempts.
        Grown::added(in_threads(threads, random, |_, seed| {
            let source = Source {
                listener: root.listener,
                hearing: root.hearing,
                last: root.observed,
                census: root.census,
            };
            let random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut search =
                Playouts { source, c: root.settings.c, random, tree: Tree::default(), iterations: 0 };
            search.root(attempts);
            search.run(stop);
            Grown {
                branches: search.tree.of(Tree::ROOT).to_vec(),
                effort: (search.iterations, search.iterations),
            }
        }))
    }
}

impl Playouts<'_> {
    /// Puts the root there, with these attempts.
    fn root(&mut self, attempts: &[Attempt]) {
        let root = self.tree.add(None);
        self.tree.expand(root, attempts.iter().map(|&attempt| Branch::new(attempt)));
    }

    /// Plays games out until it must stop.
    fn run(&mut self, stop: Stop<'_>) {
        let mut failures = 0;
        while self.iterations < stop.nodes.min(stop.iterations) {
            if stop.until.is_over() || failures > NUMBERS.boards.most_failures {
                return;
            }
            match self.draw() {
                Some(board) => {
                    self.iterations += 1;
                    self.iterate(board, stop.until);
                }
                None => failures += 1,
            }
        }
    }

    /// A board by the absolute densities: the matrices, and the model's share of each role among pieces.
    fn draw(&mut self) -> Option<Chess> {
        let Source { listener, hearing, last, census } = &self.source;
        let weight = |role: Role, square: Square| listener.weight(role, square);
        let known = Known { weight: Some(&weight), census: Some(census) };
        let key = last.draw_knowing(hearing, known, &mut self.random)?;
        hearing.position(key)
    }

    fn iterate(&mut self, board: Chess, until: &Budget) {
        let side = self.source.listener.own().men().color();
        let mut umpire = Umpire::at(self.source.listener.own().rules().clone(), board);
        let mut path = Vec::new();
        let mut turn = Tree::ROOT;
        while umpire.over().is_none() {
            let Some(branch) = self.choose(turn, &umpire) else { break };
            path.push((turn, branch));
            let attempt = self.tree.branches[branch as usize].attempt;
            let Some(own) = put(&mut umpire, attempt) else { break };
            let reply = reply(&umpire, own, &mut self.random);
            let other = reply.and_then(|m| put(&mut umpire, Attempt::of_move(m))).unwrap_or_default();
            let (next, is_new) = self.tree.after(branch, Messages([own, other].map(|said| code(&said))));
            turn = next;
            if is_new {
                let mut attempts = Vec::new();
                umpire.men().for_each_attempt(|attempt| attempts.push(Branch::new(attempt)));
                self.tree.expand(turn, attempts);
                break;
            }
        }
        let rules = umpire.rules().clone();
        let Some(value) = play_out(umpire.position().clone(), side, &rules, until, &mut self.random) else {
            return;
        };
        for (turn, branch) in path {
            self.tree.turns[turn as usize].visits += 1;
            self.tree.branches[branch as usize].average(value, 0.0);
        }
    }

    /// An unvisited attempt that is legal on this board, or the one that UCT selects among the legal ones.
    fn choose(&mut self, turn: u32, umpire: &Umpire) -> Option<u32> {
        let first = self.tree.turns[turn as usize].first;
        let is_legal =
            |attempt: Attempt| umpire.legal_moves().iter().any(|&m| Attempt::of_move(m) == attempt);
        let branches = self.tree.of(turn).iter().enumerate();
        let legal: Vec<u32> = branches
            .filter(|(_, branch)| is_legal(branch.attempt))
            .map(|(index, _)| first + index as u32)
            .collect();
        let unvisited: Vec<u32> =
            legal.iter().copied().filter(|&branch| self.tree.branches[branch as usize].visits == 0).collect();
        if let Some(&branch) = unvisited.choose(&mut self.random) {
            return Some(branch);
        }
        let log = ((self.tree.turns[turn as usize].visits + 1) as f32).ln();
        let score = |branch: &Branch| branch.value + self.c * (log / (branch.visits + 1) as f32).sqrt();
        let scored = legal.into_iter().map(|branch| (score(&self.tree.branches[branch as usize]), branch));
        scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, branch)| branch)
    }
}

/// Makes a move; what is announced of it.
fn put(umpire: &mut Umpire, attempt: Attempt) -> Option<Announcement> {
    match umpire.attempt(attempt) {
        Ok(Event::Attempt { answer: Answer::Moved(said), .. }) => Some(said),
        _ => None,
    }
}

fn reply(umpire: &Umpire, said: Announcement, random: &mut Xoshiro256PlusPlus) -> Option<Move> {
    if umpire.over().is_some() {
        return None;
    }
    pseudorandom(umpire.legal_moves(), said.capture.map(|capture| capture.square), random)
}

/// A move that takes back or captures with a pawn, nearly always; else any.
fn pseudorandom(legal: &[Move], lost_on: Option<Square>, random: &mut Xoshiro256PlusPlus) -> Option<Move> {
    if random.random_bool(NUMBERS.boards.reacts) {
        let takes_back = legal.iter().find(|m| m.is_capture() && Some(m.to()) == lost_on);
        let takes = || legal.iter().find(|m| m.is_capture() && m.role() == Role::Pawn);
        if let Some(&m) = takes_back.or_else(takes) {
            return Some(m);
        }
    }
    legal.choose(random).copied()
}

/// Plays until fifty moves bring nothing or the winner is clear: 1 if `side` wins, 0 if it loses. Nothing if time is up before.
fn play_out(
    mut position: Chess,
    side: Color,
    rules: &Rules,
    until: &Budget,
    random: &mut Xoshiro256PlusPlus,
) -> Option<f32> {
    let mut lost_on = None;
    // Every capture and every pawn's move brings the end nearer, so that there is one.
    while !until.is_over() {
        let legal = position.legal_moves();
        if legal.is_empty() {
            let over = over::Over::without_moves(rules, position.turn(), position.is_check());
            return Some(match over.result.winner() {
                None => 0.5,
                Some(winner) => f32::from(u8::from(winner == side)),
            });
        }
        if over::is_dead(position.board()) || position.halfmoves() >= 100 {
            return Some(0.5);
        }
        if let Some(winner) = adjudged(&position) {
            return Some(f32::from(u8::from(winner == side)));
        }
        let m = pseudorandom(&legal, lost_on, random)?;
        lost_on = m.is_capture().then(|| m.to());
        position.play_unchecked(m);
    }
    None
}

/// The winner of a standard ending: a rook or queen against a bare king.
fn adjudged(position: &Chess) -> Option<Color> {
    let board = position.board();
    let is_bare = |color: Color| board.by_color(color).count() == 1;
    let bare = Color::ALL.into_iter().find(|&color| is_bare(color))?;
    let heavy = board.by_color(!bare) & (board.rooks() | board.queens());
    heavy.any().then_some(!bare)
}

/// An announcement as a number.
fn code(said: &Announcement) -> u64 {
    let capture = said.capture.map_or(0, |capture| {
        let kind = match capture.kind {
            None => 0,
            Some(Kind::Pawn) => 1,
            Some(Kind::Piece) => 2,
        };
        1 + u64::from(capture.square.to_u32()) * 4 + kind
    });
    let tries = match said.tries {
        None => 0,
        Some(Tries::Count(count)) => 1 + u64::from(count),
        Some(Tries::Any(any)) => 1 + u64::from(any),
        Some(Tries::From(Bitboard(squares))) => squares % 65_521,
    };
    capture | u64::from(said.check.bits()) << 16 | u64::from(said.promotion) << 24 | tries << 32
}
