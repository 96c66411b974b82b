//! The proof tree that the incremental solvers keep in memory: nodes in arenas, reused when dropped.
//!
//! A turn of the solver is a *chain* of attempts rather than nested refusals: state by state, the first link that does
//! not refuse a state has to win it. Nesting and chaining describe the same strategies; the chain makes it plain what
//! greedy pruning salvages when a link breaks (Russell & Wolfe 2005, footnote 10).

use std::collections::VecDeque;

use super::core::Blame;
use crate::domain::{AttemptId, Choice, Domain, Percept};
use crate::keys::KeySet;
use crate::limits::Meter;
use crate::strategy::{Step, Strategy};

pub(super) type TurnId = u32;
pub(super) type ExpandId = u32;

/// An OR-node: the solver is to move.
pub(super) struct TurnNode<S> {
    /// Plies left.
    pub(super) plies: u32,
    /// States that have arrived and were not looked at yet, with their origins.
    pub(super) pending: VecDeque<(S, u32)>,
    /// States taken in so far; links refer to them by index.
    pub(super) states: Vec<S>,
    /// Which state of the node above each state comes from: of the EXPAND-node, or of the turn that asked.
    pub(super) origins: Vec<u32>,
    pub(super) keys: KeySet,
    /// The sum of the keys, which stands for the whole set.
    pub(super) sum: u128,
    /// The attempts of the current plan.
    pub(super) chain: Vec<Link>,
    /// States, with the link from which on they look for one that does not refuse them.
    pub(super) loose: VecDeque<(u32, u32)>,
    /// States that every link of the chain refuses.
    pub(super) stuck: Vec<u32>,
    pub(super) menu: Menu,
    /// Questions met so far.
    pub(super) questions: Vec<AttemptId>,
    /// Attempts that failed, with the length of the chain in front of them.
    pub(super) failed: Vec<(AttemptId, u32)>,
    /// The states for which each of them failed, where the guide remembers.
    pub(super) blames: Vec<Blame>,
    /// How it stands where the plan does not tell.
    pub(super) standing: Standing,
}

/// What is known of a turn beside its plan.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Standing {
    /// The plan tells all.
    #[default]
    Open,
    /// A larger set was proved before: there is no plan yet, and all states are loose.
    Covered,
    /// It is refuted.
    Lost,
}

/// The attempts of one stuck state, and how far they have been tried.
#[derive(Default)]
pub(super) struct Menu {
    pub(super) attempts: Vec<AttemptId>,
    pub(super) next: usize,
    /// How many failures were known when the list was made.
    pub(super) old_failures: usize,
    /// The state and the length of the chain that the list was made for.
    pub(super) made_for: Option<(u32, u32)>,
}

/// One attempt of a chain: an AND-node.
#[derive(Default)]
pub(super) struct Link {
    pub(super) attempt: AttemptId,
    /// States that passed all links before and are not refused here.
    pub(super) caught: Vec<u32>,
    pub(super) groups: Vec<Group>,
    /// Groups that are proved for good and were dropped to save memory (DUB only).
    pub(super) done: Vec<(Percept, Step)>,
    /// Whether all groups are proved and done (DUB only).
    pub(super) sure: bool,
}

/// The states that gave one percept.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) percept: Percept,
    pub(super) node: GroupNode,
}

#[derive(Clone, Copy)]
pub(super) enum GroupNode {
    /// The opponent is to reply.
    Expand(ExpandId),
    /// A question was answered.
    Answer(TurnId, Choice),
}

/// An EXPAND-node and the AND-node below it: the opponent's replies, by percept.
pub(super) struct Expand<S> {
    /// Plies left for the turns below.
    pub(super) plies: u32,
    pub(super) pending: VecDeque<(S, u32)>,
    pub(super) keys: KeySet,
    /// Which state of the turn above each state comes from, in the order of the keys.
    pub(super) origins: Vec<u32>,
    /// States that are settled together and so not looked into (see [`Domain::settled`]), by their place among the keys.
    pub(super) settled: Vec<(S, u32)>,
    /// Whether replies have been looked at: then they are of all states.
    pub(super) looked_into: bool,
    pub(super) turns: Vec<(Percept, TurnId)>,
    /// Turns that are proved for good and were dropped to save memory (DUB only).
    pub(super) done: Vec<(Percept, Strategy)>,
}

/// The arenas.
pub(super) struct Tree<D: Domain> {
    pub(super) turns: Vec<TurnNode<D::State>>,
    pub(super) expands: Vec<Expand<D::State>>,
    spare_turns: Vec<TurnId>,
    spare_expands: Vec<ExpandId>,
    spare_links: Vec<Link>,
}

impl<D: Domain> Tree<D> {
    /// Bytes per state taken in: the state, its key, its origin, its place in a link.
    const STATE: usize = size_of::<D::State>() + size_of::<u128>() + 2 * size_of::<u32>();
    const TURN: usize = size_of::<TurnNode<D::State>>();
    const EXPAND: usize = size_of::<Expand<D::State>>();

    pub(super) fn new() -> Self {
        Tree {
            turns: Vec::new(),
            expands: Vec::new(),
            spare_turns: Vec::new(),
            spare_expands: Vec::new(),
            spare_links: Vec::new(),
        }
    }

    pub(super) fn new_turn(&mut self, plies: u32, meter: &mut Meter) -> TurnId {
        meter.counters.beliefs += 1;
        meter.hold(Self::TURN);
        if let Some(id) = self.spare_turns.pop() {
            self.turns[id as usize].plies = plies;
            return id;
        }
        self.turns.push(TurnNode {
            plies,
            pending: VecDeque::new(),
            states: Vec::new(),
            origins: Vec::new(),
            keys: KeySet::default(),
            sum: 0,
            chain: Vec::new(),
            loose: VecDeque::new(),
            stuck: Vec::new(),
            menu: Menu::default(),
            questions: Vec::new(),
            failed: Vec::new(),
            blames: Vec::new(),
            standing: Standing::Open,
        });
        self.turns.len() as TurnId - 1
    }

    pub(super) fn new_expand(&mut self, plies: u32, meter: &mut Meter) -> ExpandId {
        meter.counters.beliefs += 1;
        meter.hold(Self::EXPAND);
        if let Some(id) = self.spare_expands.pop() {
            self.expands[id as usize].plies = plies;
            return id;
        }
        self.expands.push(Expand {
            plies,
            pending: VecDeque::new(),
            keys: KeySet::default(),
            origins: Vec::new(),
            settled: Vec::new(),
            looked_into: false,
            turns: Vec::new(),
            done: Vec::new(),
        });
        self.expands.len() as ExpandId - 1
    }

    pub(super) fn new_link(&mut self, attempt: AttemptId) -> Link {
        let mut link = self.spare_links.pop().unwrap_or_default();
        link.attempt = attempt;
        link
    }

    /// Takes a state into a turn; its index, or `None` if it was there.
    pub(super) fn take_in(
        &mut self,
        turn: TurnId,
        key: u128,
        (state, origin): (D::State, u32),
        meter: &mut Meter,
    ) -> Option<u32> {
        let turn = &mut self.turns[turn as usize];
        if !turn.keys.insert(key) {
            return None;
        }
        meter.counters.expanded += 1;
        meter.hold(Self::STATE);
        turn.states.push(state);
        turn.origins.push(origin);
        turn.sum = turn.sum.wrapping_add(key);
        Some(turn.states.len() as u32 - 1)
    }

    /// Drops what hangs on a link, and keeps its buffers.
    pub(super) fn drop_link(&mut self, mut link: Link, meter: &mut Meter) {
        for group in link.groups.drain(..) {
            match group.node {
                GroupNode::Expand(id) => self.drop_expand(id, meter),
                GroupNode::Answer(id, _) => self.drop_turn(id, meter),
            }
        }
        link.caught.clear();
        link.done.clear();
        link.sure = false;
        self.spare_links.push(link);
    }

    pub(super) fn drop_expand(&mut self, id: ExpandId, meter: &mut Meter) {
        let expand = &mut self.expands[id as usize];
        expand.pending.clear();
        expand.keys.clear();
        expand.origins.clear();
        expand.settled.clear();
        expand.looked_into = false;
        expand.done.clear();
        let mut turns = std::mem::take(&mut expand.turns);
        for (_, turn) in turns.drain(..) {
            self.drop_turn(turn, meter);
        }
        self.expands[id as usize].turns = turns;
        self.spare_expands.push(id);
        meter.release(Self::EXPAND);
    }

    pub(super) fn drop_turn(&mut self, id: TurnId, meter: &mut Meter) {
        let turn = &mut self.turns[id as usize];
        meter.release(Self::TURN + turn.states.len() * Self::STATE);
        turn.pending.clear();
        turn.states.clear();
        turn.origins.clear();
        turn.keys.clear();
        turn.sum = 0;
        turn.loose.clear();
        turn.stuck.clear();
        turn.questions.clear();
        turn.failed.clear();
        turn.blames.clear();
        turn.standing = Standing::Open;
        turn.menu.made_for = None;
        let mut chain = std::mem::take(&mut turn.chain);
        for link in chain.drain(..) {
            self.drop_link(link, meter);
        }
        self.turns[id as usize].chain = chain;
        self.spare_turns.push(id);
    }

    /// The strategy that a proved turn holds; `None` if its chain is empty.
    pub(super) fn strategy(&self, id: TurnId) -> Option<Strategy> {
        let mut rest = None;
        for link in self.turns[id as usize].chain.iter().rev() {
            let mut strategy = Strategy::new(link.attempt);
            strategy.refused = rest.map(Box::new);
            strategy.heard.extend(link.done.iter().cloned());
            for group in &link.groups {
                strategy.heard.insert(group.percept, self.step(group.node)?);
            }
            rest = Some(strategy);
        }
        rest
    }

    /// What a proved group does next.
    pub(super) fn step(&self, node: GroupNode) -> Option<Step> {
        match node {
            GroupNode::Answer(turn, _) => Some(Step::Answered(Box::new(self.strategy(turn)?))),
            GroupNode::Expand(id) => {
                let expand = &self.expands[id as usize];
                if !expand.settled.is_empty() {
                    return Some(Step::Settled);
                }
                let turns = expand.turns.iter().map(|&(percept, turn)| Some((percept, self.strategy(turn)?)));
                let done = expand.done.iter().cloned().map(Some);
                Some(Step::Replied(turns.chain(done).collect::<Option<_>>()?))
            }
        }
    }
}
