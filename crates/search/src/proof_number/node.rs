//! Nodes of the proof-number tree, in an arena.

use crate::domain::{AttemptId, Choice, Domain, Percept};
use crate::keys::{KeySet, bytes_with_key};
use crate::limits::Meter;

pub(super) type NodeId = u32;

/// The root's parent.
pub(super) const NONE: NodeId = NodeId::MAX;

/// A proof or disproof number that no work can reach.
pub(super) const INFINITE: u32 = u32::MAX;

/// How many expansions a proof and a disproof take at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    pub(super) const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub(super) const DISPROVED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    /// All must be proved.
    pub(super) fn and(self, other: Numbers) -> Numbers {
        Numbers { proof: self.proof.saturating_add(other.proof), disproof: self.disproof.min(other.disproof) }
    }

    /// One must be proved.
    pub(super) fn or(self, other: Numbers) -> Numbers {
        Numbers { proof: self.proof.min(other.proof), disproof: self.disproof.saturating_add(other.disproof) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The solver is to move: OR over attempts.
    Turn,
    /// An attempt: AND over what may be heard.
    Attempt,
    /// The opponent is to move: AND over what may be heard.
    Expand,
}

/// Which child of its parent a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Root,
    Attempt(AttemptId),
    Refused,
    Moved(Percept),
    Answered(Percept, Choice),
    Replied(Percept),
}

pub(super) struct Node<S> {
    pub(super) kind: Kind,
    pub(super) label: Label,
    pub(super) parent: NodeId,
    pub(super) plies: u32,
    pub(super) numbers: Numbers,
    pub(super) children: Vec<NodeId>,
    /// States not expanded yet.
    pub(super) pending: Vec<S>,
    /// What they count in proof numbers, if each counts by itself.
    pub(super) effort: u32,
    /// States expanded: a turn needs them for attempts that come up later, an EXPAND-node while they are settled.
    pub(super) states: Vec<S>,
    /// Whether replies have been looked at, of an EXPAND-node: then they are of all states.
    pub(super) looked_into: bool,
    pub(super) keys: KeySet,
    /// Attempts that are disproved here (of a turn).
    pub(super) dead: Vec<AttemptId>,
}

/// The arena.
pub(super) struct Nodes<D: Domain> {
    pub(super) all: Vec<Node<D::State>>,
    spare: Vec<NodeId>,
}

impl<D: Domain> Nodes<D> {
    const NODE: usize = size_of::<Node<D::State>>() + size_of::<NodeId>();
    const STATE: usize = bytes_with_key::<D::State>();

    pub(super) fn new() -> Self {
        Nodes { all: Vec::new(), spare: Vec::new() }
    }

    pub(super) fn get(&self, id: NodeId) -> &Node<D::State> {
        &self.all[id as usize]
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> &mut Node<D::State> {
        &mut self.all[id as usize]
    }

    /// Adds a node to its parent's children.
    pub(super) fn add(
        &mut self,
        kind: Kind,
        label: Label,
        parent: NodeId,
        plies: u32,
        meter: &mut Meter,
    ) -> NodeId {
        let node = Node {
            kind,
            label,
            parent,
            plies,
            numbers: Numbers::PROVED,
            children: Vec::new(),
            pending: Vec::new(),
            effort: 0,
            states: Vec::new(),
            looked_into: false,
            keys: KeySet::default(),
            dead: Vec::new(),
        };
        meter.counters.beliefs += u64::from(kind != Kind::Attempt);
        meter.hold(Self::NODE);
        let id = if let Some(id) = self.spare.pop() {
            self.all[id as usize] = node;
            id
        } else {
            self.all.push(node);
            self.all.len() as NodeId - 1
        };
        if parent != NONE {
            self.get_mut(parent).children.push(id);
        }
        id
    }

    /// The child with this label.
    pub(super) fn child(&self, id: NodeId, label: Label) -> Option<NodeId> {
        self.get(id).children.iter().copied().find(|&child| self.get(child).label == label)
    }

    /// Gives a node one more state to expand, unless it has it.
    pub(super) fn give(&mut self, domain: &D, id: NodeId, state: D::State, effort: u32, meter: &mut Meter) {
        let node = self.get_mut(id);
        if node.keys.insert(domain.key(&state)) {
            node.pending.push(state);
            node.effort = node.effort.saturating_add(effort);
            meter.hold(Self::STATE);
        }
    }

    /// Frees a node and all below it; its parent's list of children is the caller's business.
    pub(super) fn free(&mut self, id: NodeId, meter: &mut Meter) {
        let mut doomed = vec![id];
        while let Some(id) = doomed.pop() {
            let node = self.get_mut(id);
            meter.release(Self::NODE + (node.pending.len() + node.states.len()) * Self::STATE);
            doomed.append(&mut node.children);
            node.pending = Vec::new();
            node.states = Vec::new();
            node.keys = KeySet::default();
            node.dead = Vec::new();
            self.spare.push(id);
        }
    }
}
