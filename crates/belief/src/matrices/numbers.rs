//! Every number of the matrices that somebody chose, and where it comes from.
//!
//! *Paper* is Ciancarini and Favini (2010, section 5.2); *counted* follows from the men of chess; *by hand* was chosen by
//! hand, no match. How well the matrices believe with these is measured in `docs/players.md`. Bounds below which nothing is worth the
//! time, and those that keep divisions from zero, stand where they are used.

/// The numbers of the matrices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// What every square weighs at least when boards are drawn, so that no role is without a square. By hand.
    pub(crate) faint: f32,
    /// Of seven pieces three move along a given line: queen and rooks, or queen and bishops. Paper (c1).
    pub(crate) on_lines: f32,
    /// Two of seven pieces are knights. Counted.
    pub(crate) knights: f32,
    /// Beyond a line less likely than this to be open, nothing counts. By hand.
    pub(crate) shut: f32,
    /// The share of a piece's moves along each of the four kinds of line, if it is one of two knights, two bishops, two rooks
    /// and a queen: 5 of 28. Counted.
    pub(crate) along_a_line: f32,
    /// The share of its moves by the knight's jump: 8 of 28. Counted.
    pub(crate) by_a_jump: f32,
    /// What a square attracts a man with that is believed to be held already: it may not be. By hand; 0.02 in the program too.
    pub(crate) held_attracts: f32,
    /// How much likelier a pawn captures than a piece does, if its side was told of a try. By hand; the program has ten to one.
    pub(crate) keen_pawn: f32,
    /// How much less likely the king captures than a piece does. By hand; the program has one to nine.
    pub(crate) shy_king: f32,
    /// What "no tries" leaves of a pawn that could capture: a pinned one cannot, and is not announced. By hand.
    pub(crate) pinned_pawn: f32,
    /// What is left of a king's chance to stand where he is believed to be attacked for sure, if what is believed to stand
    /// between is wrong. By hand.
    pub(crate) doubt: f32,
    /// An own pawn less likely than this to be pinned counts as free to capture. By hand.
    pub(crate) free_pawn: f32,
    /// A refused pawn capture means an empty target if a pin is less likely than this. By hand.
    pub(crate) unpinned: f32,
    /// How much a refused king's step may raise what could control the square, at most. By hand.
    pub(crate) most_raised: f32,
}

/// The numbers in use.
pub(crate) const NUMBERS: Numbers = Numbers {
    faint: 1e-4,
    on_lines: 3.0 / 7.0,
    knights: 2.0 / 7.0,
    shut: 0.02,
    along_a_line: 5.0 / 28.0,
    by_a_jump: 8.0 / 28.0,
    held_attracts: 0.02,
    keen_pawn: 3.0,
    shy_king: 0.5,
    pinned_pawn: 0.03,
    doubt: 1e-4,
    free_pawn: 0.02,
    unpinned: 0.05,
    most_raised: 6.0,
};
