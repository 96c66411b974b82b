//! What Figure 2 of Ciancarini & Favini (2009) leaves open, and the reading that gives the paper's lengths.

/// What the figure leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Whose moves are considered first at a placement.
    pub moves: Moves,
    /// In which order the assignments of a move are tried.
    pub assignments: Assignments,
    /// What a pass sees of itself.
    pub passes: Passes,
    /// When an entry of the depth in the making may be assigned to a refusal.
    pub refusals: Refusals,
    /// Which of the entries in the list are assigned.
    pub members: Members,
    /// Whether subsets of other entries leave the list.
    pub subsets: Subsets,
    /// A run that is stopped after this depth.
    pub deepest: u16,
}

/// Whose moves are considered first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// The rook's, then the king's.
    RookFirst,
    /// The king's, then the rook's.
    KingFirst,
}

/// In which order the assignments of a move are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assignments {
    /// Those with an entry of depth n for silence or check, then those with one for the refusal: the order in which the paper names them
    /// (section 3.1).
    DeeperFirst,
    /// The other way round.
    ShallowerFirst,
    /// As the list has them, messages one inside the other.
    Listed,
}

/// What a pass sees of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passes {
    /// Entries can be assigned as soon as they are added, as a single list suggests.
    InPlace,
    /// Entries can be assigned from the next pass on.
    Whole,
}

/// When an entry of the depth in the making may be assigned to a refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusals {
    /// When the depth has grown, as all entries: the figure by the letter.
    WhenGrown,
    /// At once: chains of refusals are closed before anything deeper is looked at, which is exact.
    AtOnce,
}

/// Which of the entries in the list are assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Members {
    /// Only those that leave more than others of no greater depth do.
    Maximal,
    /// All of them.
    All,
}

/// Whether subsets of other entries leave the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subsets {
    /// They stay.
    Stay,
    /// They are "dumped" at the end of a step whatever their depth, but for those found in that step (third optimisation).
    Dumped,
}

impl Reading {
    /// The reading that gives the paper's lengths.
    pub const PAPER: Reading = Reading {
        moves: Moves::RookFirst,
        assignments: Assignments::DeeperFirst,
        passes: Passes::InPlace,
        refusals: Refusals::WhenGrown,
        members: Members::Maximal,
        subsets: Subsets::Stay,
        deepest: u16::MAX,
    };
}
