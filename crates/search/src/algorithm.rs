//! The algorithms by name, and the choices each one stands for.
//!
//! Russell & Wolfe (2005) compare eleven algorithms in Figure 4. They are combinations of few choices, and the names
//! spell them out: L-, G-, X- and E- in front, the order of the search dimensions (uncertainty, depth, breadth) behind.

use std::fmt;
use std::str::FromStr;

/// An algorithm of Russell & Wolfe (2005), Figure 4 or only named in the text, or [`Algorithm::Auto`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Algorithm {
    /// Depth-first over whole beliefs (Fig. 2 and 3).
    Dfs,
    /// `Dfs`, legal children first.
    LDfs,
    /// `LDfs` with greedy pruning.
    GlDfs,
    /// `Dfs` with greedy pruning, the refused child first.
    GxDfs,
    /// Proof-number search over whole beliefs.
    Pns,
    /// `Pns` with early termination.
    EPns,
    /// `LDfs` with early termination; also called L-UDB.
    LeDfs,
    /// Depth, then uncertainty, then breadth (Fig. 7), legal children first.
    LDub,
    /// Depth, then breadth, then uncertainty (Fig. 6), legal children first.
    LDbu,
    /// `LDbu` with greedy pruning; salvages the rest of a plan (footnote 10).
    GlDbu,
    /// Proof-number search over single states (section 6.1).
    Ipns,
    /// `Dfs` with greedy pruning; the text's name for what `GlDfs` and `GxDfs` are forms of.
    GDfs,
    /// `Dfs` with early termination; also called UDB (section 6.1).
    EDfs,
    /// `Pns`, of equals the legal children first.
    LPns,
    /// `Pns` with greedy pruning: "we did not implement" it (section 5.2).
    GPns,
    /// The default: `GlDbu` with everything that measured better; see [`crate::auto`].
    #[default]
    Auto,
    /// `Auto` without one of its parts, to see what the part is worth.
    Without(Part),
}

/// A part of [`Algorithm::Auto`] that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// What single states tell a solver who sees everything, and all that follows from it.
    FullInformation,
    /// The first states looked at with full information while the belief is being computed.
    EarlyLooks,
    /// The domain's own answer to whether one attempt wins.
    Shortcut,
    /// The reply that has refuted last before the others.
    Refuters,
    /// The attempts that have won before the others.
    Winners,
    /// Refuted sets and their supersets.
    RefutedSets,
    /// Proved sets and their subsets.
    ProvedSets,
    /// Proof numbers beside the rest.
    ProofNumbers,
    /// Smaller depths first.
    Deepening,
    /// States without a quick win first.
    StateOrder,
}

/// Where the child that heard a refusal stands among the children of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Wherever the first state that produces it stands in the belief.
    AsFound,
    /// L: last. It keeps its depth and costs most.
    LegalFirst,
    /// X: first. A cheap subset of the belief may be refuted already.
    RefusedFirst,
}

/// What is concluded from a refuted child that heard a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// That this attempt fails; the next is tried.
    None,
    /// G: that the whole turn fails, because the child is a subset of the turn's belief (Theorem 2).
    Greedy,
}

/// When the states of a belief are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construction {
    /// After the whole belief has been built.
    Whole,
    /// E: each as soon as it is built; the first failure ends the building (section 5.2).
    Early,
}

/// How much of an AND-node the incremental search proves before it takes up the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// All percepts: breadth before uncertainty, DBU.
    All,
    /// The first percept only; the others wait for the outer recursion: uncertainty before breadth, DUB.
    First,
}

/// How much a step of proof-number search expands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// A whole belief: PNS.
    Belief(Construction),
    /// One state of a belief: IPNS.
    State,
}

/// An algorithm taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composition {
    /// Depth-first over whole beliefs.
    DepthFirst(Order, Pruning, Construction),
    /// Depth-first, state by state, on a proof tree kept in memory.
    Incremental(Breadth, Pruning),
    /// Best-first by proof numbers.
    ProofNumber(Grain, Order, Pruning),
    /// The tuned solver, whole or without a part.
    Auto(Option<Part>),
}

impl Algorithm {
    /// All of them, in the order of the paper's introduction.
    pub const ALL: [Algorithm; 12] = [
        Algorithm::Dfs,
        Algorithm::LDfs,
        Algorithm::GlDfs,
        Algorithm::GxDfs,
        Algorithm::Pns,
        Algorithm::EPns,
        Algorithm::LeDfs,
        Algorithm::LDub,
        Algorithm::LDbu,
        Algorithm::GlDbu,
        Algorithm::Ipns,
        Algorithm::Auto,
    ];

    /// Those that the text names and Figure 4 has no row of.
    pub const NAMED: [Algorithm; 4] = [Algorithm::GDfs, Algorithm::EDfs, Algorithm::LPns, Algorithm::GPns];

    /// `auto` without each of its parts in turn.
    pub const ABLATIONS: [Algorithm; 10] = [
        Algorithm::Without(Part::FullInformation),
        Algorithm::Without(Part::EarlyLooks),
        Algorithm::Without(Part::Shortcut),
        Algorithm::Without(Part::Refuters),
        Algorithm::Without(Part::Winners),
        Algorithm::Without(Part::RefutedSets),
        Algorithm::Without(Part::ProvedSets),
        Algorithm::Without(Part::ProofNumbers),
        Algorithm::Without(Part::Deepening),
        Algorithm::Without(Part::StateOrder),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Dfs => "dfs",
            Algorithm::LDfs => "l-dfs",
            Algorithm::GlDfs => "gl-dfs",
            Algorithm::GxDfs => "gx-dfs",
            Algorithm::Pns => "pns",
            Algorithm::EPns => "e-pns",
            Algorithm::LeDfs => "le-dfs",
            Algorithm::LDub => "l-dub",
            Algorithm::LDbu => "l-dbu",
            Algorithm::GlDbu => "gl-dbu",
            Algorithm::Ipns => "ipns",
            Algorithm::GDfs => "g-dfs",
            Algorithm::EDfs => "e-dfs",
            Algorithm::LPns => "l-pns",
            Algorithm::GPns => "g-pns",
            Algorithm::Auto => "auto",
            Algorithm::Without(Part::FullInformation) => "auto-without-full-information",
            Algorithm::Without(Part::EarlyLooks) => "auto-without-early-looks",
            Algorithm::Without(Part::Shortcut) => "auto-without-shortcut",
            Algorithm::Without(Part::Refuters) => "auto-without-refuters",
            Algorithm::Without(Part::Winners) => "auto-without-winners",
            Algorithm::Without(Part::RefutedSets) => "auto-without-refuted-sets",
            Algorithm::Without(Part::ProvedSets) => "auto-without-proved",
            Algorithm::Without(Part::ProofNumbers) => "auto-without-proof-numbers",
            Algorithm::Without(Part::Deepening) => "auto-without-deepening",
            Algorithm::Without(Part::StateOrder) => "auto-without-state-order",
        }
    }

    /// The choices that the name stands for.
    pub fn composition(self) -> Composition {
        use Construction::{Early, Whole};
        use Order::{AsFound, LegalFirst, RefusedFirst};
        match self {
            Algorithm::Dfs => Composition::DepthFirst(AsFound, Pruning::None, Whole),
            Algorithm::LDfs => Composition::DepthFirst(LegalFirst, Pruning::None, Whole),
            Algorithm::GlDfs => Composition::DepthFirst(LegalFirst, Pruning::Greedy, Whole),
            Algorithm::GxDfs => Composition::DepthFirst(RefusedFirst, Pruning::Greedy, Whole),
            Algorithm::LeDfs => Composition::DepthFirst(LegalFirst, Pruning::None, Early),
            Algorithm::GDfs => Composition::DepthFirst(AsFound, Pruning::Greedy, Whole),
            Algorithm::EDfs => Composition::DepthFirst(AsFound, Pruning::None, Early),
            Algorithm::Pns => Composition::ProofNumber(Grain::Belief(Whole), AsFound, Pruning::None),
            Algorithm::EPns => Composition::ProofNumber(Grain::Belief(Early), AsFound, Pruning::None),
            Algorithm::LPns => Composition::ProofNumber(Grain::Belief(Whole), LegalFirst, Pruning::None),
            Algorithm::GPns => Composition::ProofNumber(Grain::Belief(Whole), AsFound, Pruning::Greedy),
            Algorithm::Ipns => Composition::ProofNumber(Grain::State, AsFound, Pruning::None),
            Algorithm::LDub => Composition::Incremental(Breadth::First, Pruning::None),
            Algorithm::LDbu => Composition::Incremental(Breadth::All, Pruning::None),
            Algorithm::GlDbu => Composition::Incremental(Breadth::All, Pruning::Greedy),
            Algorithm::Auto => Composition::Auto(None),
            Algorithm::Without(part) => Composition::Auto(Some(part)),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no algorithm has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no algorithm is called {0:?}; known: dfs, l-dfs, gl-dfs, gx-dfs, pns, e-pns, le-dfs (or l-udb), l-dub, l-dbu, gl-dbu, ipns, g-dfs, e-dfs (or udb), l-pns, g-pns, auto, and auto-without-PART for a PART of it"
)]
pub struct UnknownAlgorithm(pub String);

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "l-udb" => return Ok(Algorithm::LeDfs),
            "udb" => return Ok(Algorithm::EDfs),
            _ => {}
        }
        Algorithm::ALL
            .into_iter()
            .chain(Algorithm::NAMED)
            .chain(Algorithm::ABLATIONS)
            .find(|algorithm| algorithm.name() == name)
            .ok_or_else(|| UnknownAlgorithm(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        let all = Algorithm::ALL.into_iter().chain(Algorithm::NAMED);
        for algorithm in all.chain(Algorithm::ABLATIONS) {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        assert_eq!("l-udb".parse(), Ok(Algorithm::LeDfs));
        assert_eq!("udb".parse(), Ok(Algorithm::EDfs));
        assert!("alpha-beta".parse::<Algorithm>().is_err());
    }
}
