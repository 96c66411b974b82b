//! Figure 2 of Ciancarini & Favini (2009) as it stands: assignments of table entries to the umpire's messages, pass after pass.
//!
//! The figure goes through all placements and moves at a depth n, assigns entries of the list to the messages that may come, takes the squares away
//! that no assigned entry covers, and adds what is left "if it is not a subset of an existing entry". Passes are repeated until nothing is
//! added, then the depth grows. Three sentences decide what comes out, and the exact generator (`nebel_tablebase::solve`) has none of them:
//!
//! - Entries up to depth n are assigned to *every* message, so that a pass at depth n makes entries of n + 1 by silence and check, and in between
//!   entries of n by refusals: "illegal moves may generate new mates of depth n instead of n + 1, which need to be searched again".
//! - A set that is a subset of an existing entry is discarded, and nothing is said of the depths of the two. An entry of n + 1 that was found
//!   first thus hides the mate in n that a chain of refusals finds a moment later.
//! - What hides what depends on the order, of which the figure says nothing: [`Reading`] has what it leaves open.
//!
//! The squares themselves (which are refused, mated, lost) come from [`AttemptEffect`], one place for all generators. Entries are assigned as what they
//! leave of a message's squares, equal ones once, which is the paper's last optimisation.

use nebel_tablebase::{
    AttemptEffect, Board, Ending, Index, Mask, Placement, Symmetry, antichain::any_superset,
};
use shakmaty::Role;

pub use super::reading::{Assignments, Members, Moves, Passes, Reading, Refusals, Subsets};

/// What a run of the figure made.
#[derive(Debug)]
pub struct Listed {
    index: Index,
    nodes: Vec<Node>,
    /// Passes at each depth.
    pub passes: Vec<usize>,
}

/// One placement.
#[derive(Debug)]
struct Node {
    /// The largest sets of all entries, whatever their depth.
    covered: Vec<Mask>,
    entries: Vec<Entry>,
    moves: Vec<Move>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    set: Mask,
    depth: u16,
    /// The depth at which it was found.
    found: u16,
    /// Whether it is still in the list, or was dumped as a subset of another.
    is_listed: bool,
}

/// One attempt: the squares of each message, and where the entries for them are.
#[derive(Debug)]
struct Move {
    to: usize,
    back: Symmetry,
    silent: Mask,
    check: Mask,
    refused: Mask,
    replies: Mask,
    /// How many entries of the two lists were assigned before.
    seen: (usize, usize),
}

/// What an entry leaves of the squares of a message.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Part {
    set: Mask,
    /// Whether the result is of depth n + 1 by it.
    is_deep: bool,
    is_new: bool,
}

/// Runs the figure to its end; `None` only if KRK had too many men for an index.
pub fn run(reading: Reading) -> Option<Listed> {
    let index = Index::new(Board::CHESS, &Ending::new([Role::Rook]))?;
    let nodes = index.placements().iter().map(|placement| Node::new(&index, placement, reading.moves));
    let mut listed = Listed { nodes: nodes.collect::<Option<_>>()?, index, passes: Vec::new() };
    for depth in 1..=reading.deepest {
        let passes = listed.step(depth, reading);
        listed.passes.push(passes);
        let mut entries = listed.nodes.iter().flat_map(|node| &node.entries);
        if !entries.any(|entry| entry.depth > depth) {
            break;
        }
    }
    Some(listed)
}

impl Listed {
    /// All entries, dumped ones included, as the paper counts them.
    pub fn entries(&self) -> usize {
        self.nodes.iter().map(|node| node.entries.len()).sum()
    }

    /// The same if a placement with the king on the diagonal and its mirror image are counted as two.
    pub fn entries_by_king(&self) -> usize {
        let placements = self.index.placements().iter().zip(&self.nodes);
        placements.map(|(placement, node)| node.entries.len() * images_by_king(placement)).sum()
    }

    /// The longest mate.
    pub fn longest(&self) -> u16 {
        let entries = self.nodes.iter().flat_map(|node| &node.entries);
        entries.map(|entry| entry.depth).max().unwrap_or(0)
    }

    /// Entries of the longest mate, and how many placements they are at.
    pub fn of_longest(&self) -> (usize, usize) {
        let longest = self.longest();
        let counts =
            self.nodes.iter().map(|node| node.entries.iter().filter(|entry| entry.depth == longest).count());
        counts.filter(|&count| count > 0).fold((0, 0), |(entries, at), count| (entries + count, at + 1))
    }

    /// The moves to mate with the king anywhere, as a lookup in the list finds them.
    pub fn filled(&self, placement: &Placement) -> Option<u16> {
        self.moves(placement, placement.king_squares(Board::CHESS))
    }

    /// The moves to mate with the king on one of these squares: the smallest number of an entry that holds them all.
    pub fn moves(&self, placement: &Placement, squares: Mask) -> Option<u16> {
        let (number, symmetry) = self.index.find(placement)?;
        let set = symmetry.apply(Board::CHESS, squares);
        let holds = |entry: &&Entry| set & !entry.set == 0;
        self.nodes[number].entries.iter().filter(holds).map(|entry| entry.depth).min()
    }

    /// The placements that are won fastest with the king anywhere.
    pub fn fastest_filled(&self) -> Vec<(u16, &Placement)> {
        let filled = self.index.placements().iter();
        let mut won: Vec<_> = filled.filter_map(|at| Some((self.filled(at)?, at))).collect();
        won.sort_by_key(|&(moves, _)| moves);
        let fastest = won.first().map(|&(moves, _)| moves);
        won.retain(|&(moves, _)| Some(moves) == fastest);
        won
    }

    /// All passes of one depth.
    fn step(&mut self, depth: u16, reading: Reading) -> usize {
        let mut passes = 0;
        loop {
            let before: Vec<usize> = self.nodes.iter().map(|node| node.entries.len()).collect();
            for number in 0..self.nodes.len() {
                for attempt in 0..self.nodes[number].moves.len() {
                    let to = self.nodes[number].moves[attempt].to;
                    let lengths = match reading.passes {
                        Passes::InPlace => (self.nodes[to].entries.len(), self.nodes[number].entries.len()),
                        Passes::Whole => (before[to], before[number]),
                    };
                    self.consider(number, attempt, lengths, passes == 0, depth, reading);
                }
            }
            passes += 1;
            if self.nodes.iter().zip(before).all(|(node, before)| node.entries.len() == before) {
                break;
            }
        }
        if reading.subsets == Subsets::Stay {
            return passes;
        }
        for node in &mut self.nodes {
            let covered = &node.covered;
            for entry in node.entries.iter_mut().filter(|entry| entry.found < depth) {
                entry.is_listed = covered.contains(&entry.set);
            }
        }
        passes
    }

    /// All assignments to the messages of one move that were not tried before: the figure's innermost loop.
    fn consider(
        &mut self,
        number: usize,
        attempt: usize,
        lengths: (usize, usize),
        is_first: bool,
        depth: u16,
        reading: Reading,
    ) {
        let node = &self.nodes[number];
        let plan = &node.moves[attempt];
        let has_seen_all = lengths.0 == plan.seen.0 && (plan.refused == 0 || lengths.1 == plan.seen.1);
        if !is_first && has_seen_all {
            return;
        }
        let after = &self.nodes[plan.to].entries[..lengths.0];
        let here = &node.entries[..lengths.1];
        let mut parts = plan.parts(after, here, is_first, depth, reading.refusals);
        if reading.members == Members::Maximal {
            parts.iter_mut().for_each(keep_maximal);
        }
        let node = &mut self.nodes[number];
        node.moves[attempt].seen = lengths;
        let sweeps: &[Option<bool>] = match (reading.assignments, reading.refusals) {
            (Assignments::Listed, _) | (_, Refusals::AtOnce) => &[None],
            (Assignments::DeeperFirst, _) => &[Some(true), Some(false)],
            (Assignments::ShallowerFirst, _) => &[Some(false), Some(true)],
        };
        for &deep_only in sweeps {
            node.assign(&parts, deep_only, depth, reading.refusals);
        }
    }
}

impl Node {
    fn new(index: &Index, placement: &Placement, order: Moves) -> Option<Node> {
        let mut moves = Vec::new();
        let mut mates = Vec::new();
        let mut effects = AttemptEffect::all(Board::CHESS, placement);
        let is_later =
            |effect: &AttemptEffect| (effect.attempt.from == placement.king()) == (order == Moves::RookFirst);
        effects.sort_by_key(is_later);
        for effect in &effects {
            mates.push(effect.mates(Board::CHESS));
            moves.push(Move::new(index, effect)?);
        }
        let mut node = Node { covered: Vec::new(), entries: Vec::new(), moves };
        for set in mates {
            node.add(set, 1, 0);
        }
        Some(node)
    }

    /// "If the resulting metaposition is empty, it is discarded. If it is a subset of an existing entry, it is also discarded."
    fn add(&mut self, set: Mask, depth: u16, found: u16) {
        if set == 0 || any_superset(&self.covered, set) {
            return;
        }
        self.covered.retain(|&other| other & !set != 0);
        self.covered.push(set);
        self.entries.push(Entry { set, depth, found, is_listed: true });
    }

    /// Tries every assignment of one sweep, silence outermost. What cannot leave the sets that are covered is skipped, which changes
    /// nothing but the time.
    fn assign(&mut self, parts: &[Vec<Part>; 3], deep_only: Option<bool>, depth: u16, refusals: Refusals) {
        let [silent, check, refused] = parts;
        let union = |parts: &[Part]| parts.iter().fold(0, |all, part| all | part.set);
        let any_new = |parts: &[Part]| parts.iter().any(|part| part.is_new);
        let (by_check, by_refusal) = (union(check), union(refused));
        let (new_check, new_refusal) = (any_new(check), any_new(refused));
        for first in silent.iter().filter(|part| part.is_new || new_check || new_refusal) {
            if any_superset(&self.covered, first.set | by_check | by_refusal) {
                continue;
            }
            // Only sets that hold what is chosen so far can hold the whole; new ones are looked up in the list itself.
            let near: Vec<Mask> = self.covered.iter().copied().filter(|set| first.set & !set == 0).collect();
            for second in check.iter().filter(|part| first.is_new || part.is_new || new_refusal) {
                let is_deep = first.is_deep || second.is_deep;
                let legal = first.set | second.set;
                if deep_only.is_some_and(|deep| deep != is_deep) || any_superset(&near, legal | by_refusal) {
                    continue;
                }
                let nearer: Vec<Mask> = near.iter().copied().filter(|set| legal & !set == 0).collect();
                for third in refused.iter().filter(|part| first.is_new || second.is_new || part.is_new) {
                    let (grown, set) = (is_deep || third.is_deep, legal | third.set);
                    if (refusals == Refusals::WhenGrown || grown) && !any_superset(&nearer, set) {
                        self.add(set, depth + u16::from(grown), depth);
                    }
                }
            }
        }
    }
}

impl Move {
    fn new(index: &Index, effect: &AttemptEffect) -> Option<Move> {
        let (to, symmetry) = index.find(&effect.after)?;
        let kept = !Board::CHESS.neighbours(effect.loose);
        let of = |is_silent: bool| {
            let classes = effect.classes.iter().filter(|class| (class.0 == 0) == is_silent);
            classes.fold(0, |all, class| all | class.1) & kept
        };
        Some(Move {
            to,
            back: symmetry.inverse(),
            silent: of(true),
            check: of(false),
            refused: effect.refused,
            replies: effect.replies,
            seen: (0, 0),
        })
    }

    /// What the entries leave of the squares of silence, check and refusal. The first of each is what no entry is needed for: mates, and
    /// nothing.
    fn parts(
        &self,
        after: &[Entry],
        here: &[Entry],
        is_first: bool,
        depth: u16,
        refusals: Refusals,
    ) -> [Vec<Part>; 3] {
        let part = |set: Mask| Part { set, is_deep: false, is_new: false };
        let mates = self.before(0);
        let mut silent = vec![part(mates & self.silent)];
        let mut check = vec![part(mates & self.check)];
        let mut refused = vec![part(0)];
        for (at, entry) in
            after.iter().enumerate().filter(|(_, entry)| entry.is_listed && entry.depth <= depth)
        {
            let is_deep = entry.depth == depth;
            let is_new = if is_first { is_deep } else { at >= self.seen.0 };
            let before = self.before(self.back.apply(Board::CHESS, entry.set));
            insert(&mut silent, Part { set: before & self.silent, is_deep, is_new });
            insert(&mut check, Part { set: before & self.check, is_deep, is_new });
        }
        let most = if refusals == Refusals::AtOnce { depth + 1 } else { depth };
        let usable = |entry: &Entry| self.refused != 0 && entry.is_listed && entry.depth <= most;
        for (at, entry) in here.iter().enumerate().filter(|(_, entry)| usable(entry)) {
            let is_new = if is_first { entry.depth >= depth } else { at >= self.seen.1 };
            insert(
                &mut refused,
                Part { set: entry.set & self.refused, is_deep: entry.depth > depth, is_new },
            );
        }
        [silent, check, refused]
    }

    /// The squares none of whose replies leaves a set.
    fn before(&self, won: Mask) -> Mask {
        !Board::CHESS.neighbours(self.replies & !won)
    }
}

/// Adds a part unless it is there already; the one that makes a result less deep stays.
fn insert(parts: &mut Vec<Part>, part: Part) {
    match parts.iter_mut().find(|known| known.set == part.set) {
        Some(known) if known.is_deep && !part.is_deep => {
            known.is_deep = false;
            known.is_new |= part.is_new;
        }
        Some(_) => {}
        None => parts.push(part),
    }
}

/// Leaves out what is part of another that makes results no deeper.
fn keep_maximal(parts: &mut Vec<Part>) {
    let all = parts.clone();
    let is_within = |part: &Part, other: &Part| {
        other.set != part.set && part.set & !other.set == 0 && (!other.is_deep || part.is_deep)
    };
    parts.retain(|part| !all.iter().any(|other| is_within(part, other)));
}

/// How many placements of a class have the king in the triangle a1–d1–d4: two where he is on the diagonal and the rook is not.
fn images_by_king(placement: &Placement) -> usize {
    let on_diagonal = |square: shakmaty::Square| u32::from(square.file()) == u32::from(square.rank());
    let king = placement.king();
    let falls = |square: shakmaty::Square| u32::from(square.file()) + u32::from(square.rank()) == 7;
    let rook_off =
        placement.men().iter().any(|man| if on_diagonal(king) { !on_diagonal(man.1) } else { !falls(man.1) });
    if (on_diagonal(king) || falls(king)) && rook_off { 2 } else { 1 }
}
