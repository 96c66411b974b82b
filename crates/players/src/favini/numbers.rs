//! Every number of `a`, `b`, `c` and `bc` that somebody chose, and where it comes from.
//!
//! *Paper* is Ciancarini and Favini (2010); *program* is what is known of theirs, restated; *by hand* was chosen by hand,
//! no match. What the defaults of options are worth in matches is in `docs/players.md`.

use crate::conversion::Drive;

/// The numbers of the players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// The share of the time that the first attempt of a turn may take: a refusal must leave some for the next. By hand.
    pub(crate) share: f64,
    /// Nodes without a clock and without a limit. By hand; the program's C expands 1,000 turns, some 30,000 nodes.
    pub(crate) nodes: u64,
    /// Nodes beyond which a tree would fill the memory.
    pub(crate) most_nodes: u64,
    /// How much the choice is blurred, so that games differ. By hand.
    pub(crate) noise: f32,
    /// What a stalemate costs that is certain. By hand.
    pub(crate) stalemate: f32,
    /// Repetition, and moves without progress: fifty make a draw. By hand; neither paper nor program has anything of it.
    pub(crate) drive: Drive,
    /// How many turns a line is followed at most. By hand; the program has 9.
    pub(crate) deepest: usize,
    /// Samples of a leaf in B. Program; the paper does not say.
    pub(crate) samples: u32,
    /// How many samples an expectation counts for in the hybrid. By hand; the paper has no hybrid.
    pub(crate) expected_counts: f32,
    /// How much of a turn's own value stays in C when its best move is known. 0 in the paper, 0.5 in the program; 0.7 is +70 Elo
    /// above `minimax` where the paper's maximum is −74 (100 games each, 1,500 nodes; `docs/players.md`).
    pub(crate) conserved: f32,
    /// The same in the program.
    pub(crate) conserved_by_program: f32,
    /// The change of the balance by a refusal, which costs nothing but tells the opponent something. Program.
    pub(crate) refused: f32,
    /// No turn is so exposed that a capture is more certain than this. By hand.
    pub(crate) most_risk: f32,
    /// A man less exposed than this counts as safe: for speed.
    pub(crate) no_risk: f32,
    /// How often own men take back when they can. By hand; "a very high chance" in the paper (section 5.2).
    pub(crate) take_back: f32,
    pub(crate) worth: WorthNumbers,
    pub(crate) odds: OddsNumbers,
    pub(crate) plans: PlanNumbers,
    pub(crate) boards: BoardNumbers,
    pub(crate) printed: PrintedNumbers,
}

/// The constants that the paper's second set of assumptions names without printing them (section 5.2). By hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintedNumbers {
    /// A man that has captured is captured: "a very high chance".
    pub(crate) recapture: f32,
    /// A man that has given check is captured: "a chance, assumed to be constant".
    pub(crate) take_checker: f32,
    /// A man is lost out of silence: "a fixed chance". 0.1 in the program.
    pub(crate) loss: f32,
}

/// What men are worth, in pawns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorthNumbers {
    /// Pawn, knight, bishop, rook and queen by the paper's count (section 5.2), with the numbers of the program.
    pub(crate) count: [f32; 5],
    /// Knight, bishop, rook and queen by the usual scale of chess. In matches no better and no worse than the count
    /// (`docs/players.md`).
    pub(crate) classic: [f32; 4],
    /// A pawn by its rank in the usual scale, which gives a reason to go forward. By hand, after the program's static evaluation,
    /// where a pawn is worth 0.6 for each rank.
    pub(crate) advanced: [f32; 8],
    /// What hidden men count beside own ones in the paper's count. Program.
    pub(crate) hidden_count: f32,
    /// What seven hidden pieces are worth, in the count (program) and in the usual scale.
    pub(crate) seven_count: f32,
    pub(crate) seven_classic: f32,
    /// The king cannot be captured, but nobody likes to capture with him: more than any other man. By hand.
    pub(crate) king: f32,
    /// How many times the hidden men the own must be worth to be ahead. By hand.
    pub(crate) ahead: f32,
}

/// What the umpire would say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OddsNumbers {
    /// What a square weighs that is believed to be empty, where something must be somewhere. By hand.
    pub(crate) faint: f32,
    /// The least chance that a king's step along the line of a check takes the checker. By hand.
    pub(crate) takes_checker: f32,
    /// The chance that a man is a pawn where nothing is believed to stand. By hand.
    pub(crate) pawn_unknown: f32,
}

/// "Attack this square" plans.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanNumbers {
    /// A plan lives if something stands on its square with more than this probability. Program.
    pub(crate) live: f32,
    /// The constant of UCT among plans. Program.
    pub(crate) explore: f32,
    /// What an attempt that newly attacks the square is preferred by. Program.
    pub(crate) progress: f32,
}

/// Games played out in A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardNumbers {
    /// How often a side takes back or uses a pawn capture when it can. By hand; "almost always" in the paper (section 5.1).
    pub(crate) reacts: f64,
    /// How often no board may be found before the search gives up. By hand; the program tries 100 times for each.
    pub(crate) most_failures: u32,
}

/// The numbers that `a`, `b`, `c` and `bc` play with.
pub(crate) const NUMBERS: Numbers = Numbers {
    share: 0.5,
    nodes: 100_000,
    most_nodes: 2_000_000,
    noise: 0.02,
    stalemate: 20.0,
    drive: Drive { again: 0.15, again_and_again: 0.15, patience: 20, impatience: 1.0 / 20.0 },
    deepest: 40,
    samples: 5,
    expected_counts: 4.0,
    conserved: 0.7,
    conserved_by_program: 0.5,
    refused: -0.01,
    most_risk: 0.8,
    no_risk: 1e-3,
    take_back: 0.95,
    worth: WorthNumbers {
        count: [1.0, 1.5, 2.0, 2.5, 3.0],
        classic: [3.0, 3.0, 5.0, 9.0],
        advanced: [1.0, 1.0, 1.02, 1.05, 1.15, 1.4, 2.0, 9.0],
        hidden_count: 0.8,
        seven_count: 15.0,
        seven_classic: 31.0,
        king: 20.0,
        ahead: 1.1,
    },
    odds: OddsNumbers { faint: 0.01, takes_checker: 0.1, pawn_unknown: 0.5 },
    plans: PlanNumbers { live: 0.1, explore: 5.0, progress: 0.1 },
    boards: BoardNumbers { reacts: 0.9, most_failures: 50 },
    printed: PrintedNumbers { recapture: 0.9, take_checker: 0.3, loss: 0.1 },
};
