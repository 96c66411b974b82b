//! Every number of `minimax` that somebody chose, and where it comes from.
//!
//! *Program* is the historical Darkboard as far as its constants are known, restated; *paper* is Ciancarini and Favini (2010); *by
//! hand* was chosen by hand, no match. The matches in `docs/players.md` were played with all of these as they stand
//! here; none of them was tuned by one.

use nebel_kriegspiel::Role;

use crate::conversion::Drive;

/// The numbers of the player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub(crate) search: SearchNumbers,
    pub(crate) reaction: ReactionNumbers,
    pub(crate) material: MaterialNumbers,
    pub(crate) position: PositionNumbers,
    pub(crate) progress: ProgressNumbers,
    pub(crate) conversion: ConversionNumbers,
    pub(crate) endings: EndingNumbers,
}

/// How far and how wide it searches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchNumbers {
    /// Metapositions looked at without a budget. Program; the paper says about 10,000.
    pub(crate) nodes: u64,
    /// Sets of the tables' solver without a clock and without a limit: it would fill the memory. By hand.
    pub(crate) solver_nodes: u64,
    /// The share of what is left of a turn's time that a choice takes, since the turn has to pay for its refusals. By hand.
    pub(crate) share: f64,
    /// What a move is put behind others by that surely loses a man. By hand; the paper says only that there are such checks (section 6.1).
    pub(crate) blunder: f32,
    /// How much values are blurred, so that games differ; the program has a book instead. By hand.
    pub(crate) noise: f32,
    /// Moves expanded at a node, of those not met before in this search. Program.
    pub(crate) new_moves: usize,
    /// Moves expanded at a node, of those met. Program.
    pub(crate) old_moves: usize,
    /// Changes of value beyond this are not taken to repeat elsewhere. Program.
    pub(crate) typical_change: f32,
    /// The value of a move of which nothing can come: below all others.
    pub(crate) hopeless: f32,
    /// The share of a node's value that is its own. Program, and paper (section 4.3).
    pub(crate) alpha: f32,
    /// The same with nothing but a king. Program.
    pub(crate) alpha_king_only: f32,
    /// The same with a queen, or with several heavy pieces, against a bare king. Program.
    pub(crate) alpha_heavy: f32,
    /// The same with a rook against a bare king. Program.
    pub(crate) alpha_rook: f32,
    /// The values between which nodes are expanded. Program.
    pub(crate) undecided: (f32, f32),
    /// The same against a bare king, whose values are larger. By hand.
    pub(crate) undecided_bare: (f32, f32),
}

/// What is answered at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReactionNumbers {
    /// How eager each man is to take. Program.
    pub(crate) eagerness: ByRole,
    /// How much more to take back than to take with a pawn. By hand.
    pub(crate) takes_back: f32,
    /// By how much an answer may look worse than the best move and still be given. By hand; the program answers always.
    pub(crate) declines: f32,
}

/// What men are worth, and what endangers them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaterialNumbers {
    /// What an own man is worth; the king by the share of enemy men that are left. Program.
    pub(crate) worth: ByRole,
    /// The share of its danger that a man may bear. Program, where the table of the risks that strong players take is never used.
    pub(crate) accepted: f32,
    /// What an own queen is worth besides. Program.
    pub(crate) queen: f32,
    /// What an enemy pawn costs. Program.
    pub(crate) enemy_pawn: f32,
    /// What an enemy piece costs. Program.
    pub(crate) enemy_piece: f32,
    /// What a pawn costs that may stand so many ranks from our first one. Program.
    pub(crate) pawn_by_rank: [f32; 8],
    /// What another man costs that may stand on a square, when nothing was learnt of it for long; the pawn's is not used. Program.
    pub(crate) ignorance: ByRole,
    /// How much a pawn endangers what it may capture. Program.
    pub(crate) pawn_danger: f32,
    /// What the share of unknown territory is multiplied by. Program.
    pub(crate) danger: f32,
    /// The same for a man that has just captured when few are left to take it back. By hand; the program has it lost.
    pub(crate) danger_to_capturer: f32,
    /// How much greater the risk of a man is that has just moved. Program.
    pub(crate) just_moved: f32,
    /// The least risk of a man that nobody protects. Program.
    pub(crate) unprotected: f32,
    /// What a protector leaves of a risk, before its reliability. Program.
    pub(crate) protected: f32,
    /// How far a protector of this role is to be relied on. Program.
    pub(crate) reliance: ByRole,
    /// What a protector of no greater worth leaves besides. Program.
    pub(crate) cheap_protector: f32,
    /// The share of its danger that no protection takes from a man. Program.
    pub(crate) least_risk: f32,
}

/// Where men stand well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PositionNumbers {
    /// For each square that is protected. Program.
    pub(crate) protected: f32,
    /// For each file without an enemy pawn. Program.
    pub(crate) open_file: f32,
    /// For each step that the king is nearer to his nearest man, when few are left. Program.
    pub(crate) company: f32,
    /// With fewer men than this beside him. Program.
    pub(crate) lonely: usize,
    /// The price of each rank that the king leaves home by, while all pieces are there. By hand; not in the program.
    pub(crate) king_ahead: f32,
    /// The price of each square beside him that nobody else protects. By hand; the program has a filter on its book instead.
    pub(crate) king_open: f32,
}

/// Progress towards mate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgressNumbers {
    /// What progress weighs with so many enemy men; nothing with more. By hand: the program's fall off faster (1, 0.2, 0.1,
    /// 0.05, 0.05, 0.02).
    pub(crate) by_men: [f32; 6],
    /// Mate, and what each own move until then takes from it, up to `mate_depth` of them. Program.
    pub(crate) mate: f32,
    pub(crate) mate_later: f32,
    pub(crate) mate_depth: u32,
    /// Squares on which the king would be mated, if all are; shared by the men that could help him. By hand.
    pub(crate) mated: f32,
    /// A man that stands unprotected beside the bare king. Program.
    pub(crate) loose: f32,
    /// Each point by which the king's region is smaller than `region_most`. Program.
    pub(crate) region: f32,
    pub(crate) region_most: f32,
    /// What the sum over the region's squares is multiplied by. Program.
    pub(crate) region_scale: f32,
    /// A square in the middle of the board is worth so much more than one in the corner, which is worth 1. Program.
    pub(crate) centre: f32,
    /// Each step that the own king is away from the enemy's squares on average. By hand; not in the program.
    pub(crate) distance: f32,
    /// The own men must outweigh the enemy's by so much, his pieces and pawns weighed like this. By hand.
    pub(crate) ahead: f32,
    pub(crate) ahead_piece: f32,
    pub(crate) ahead_pawn: f32,
}

/// Converting an advantage: none of it is in the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConversionNumbers {
    /// With more enemy men than this there is nothing to convert yet. By hand.
    pub(crate) few_men: u8,
    /// What a pawn and a piece captured are worth. By hand.
    pub(crate) pawn: f32,
    pub(crate) piece: f32,
    /// Repetition, and moves without progress. By hand.
    pub(crate) drive: Drive,
    /// A stalemate that is certain; the program has 2,500 for a single square. By hand.
    pub(crate) stalemate: f32,
    /// Risks of stalemate up to this are only weighed; greater ones cost `shunned` besides. By hand.
    pub(crate) small_risk: f32,
    pub(crate) shunned: f32,
}

/// The hand-made values of endings; rook and queen after Bolognesi and Ciancarini (2004) by way of the program. All program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndingNumbers {
    /// Mate, stalemate, a piece given away.
    pub(crate) mate: f32,
    /// A rook or queen that is safe, or that is not.
    pub(crate) safe: f32,
    /// A rook, and a queen, beside the own king.
    pub(crate) rook_near: f32,
    pub(crate) queen_near: f32,
    /// Several heavy pieces: each rank or file of the longest run along the edge that is free of the king.
    pub(crate) free_line: f32,
    /// A king on a line that is attacked without its neighbour.
    pub(crate) lonely_line: f32,
    /// With fewer enemy men than this, pawns are an ending.
    pub(crate) pawns_against: u8,
    /// Pawns: each step that the king is nearer than eight.
    pub(crate) king_near: f32,
    /// A new queen that is protected, or that is not.
    pub(crate) new_queen: f32,
    /// Nothing but the king: the middle of the board.
    pub(crate) king_alone: f32,
    /// Possible squares of the king: in a corner or beside it, on the edge or next to it, on the four of c3's kind, in the centre.
    pub(crate) by_square: [f32; 4],
}

/// A number for each role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByRole {
    pub(crate) pawn: f32,
    pub(crate) knight: f32,
    pub(crate) bishop: f32,
    pub(crate) rook: f32,
    pub(crate) queen: f32,
    pub(crate) king: f32,
}

impl ByRole {
    /// The number of this role.
    pub(crate) const fn of(&self, role: Role) -> f32 {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.queen,
            Role::King => self.king,
        }
    }
}

/// The numbers that `minimax` plays with.
pub(crate) const NUMBERS: Numbers = Numbers {
    search: SearchNumbers {
        nodes: 5_000,
        solver_nodes: 20_000,
        share: 1.0 / 3.0,
        blunder: 1000.0,
        noise: 0.05,
        new_moves: 5,
        old_moves: 10,
        typical_change: 50.0,
        hopeless: -20_000.0,
        alpha: 0.9,
        alpha_king_only: 1.0,
        alpha_heavy: 0.05,
        alpha_rook: 0.02,
        undecided: (-150.0, 400.0),
        undecided_bare: (-5000.0, 5000.0),
    },
    reaction: ReactionNumbers {
        eagerness: ByRole { pawn: 8.0, knight: 7.0, bishop: 5.0, rook: 3.0, queen: 1.0, king: 10.0 },
        takes_back: 1.0,
        declines: 12.0,
    },
    material: MaterialNumbers {
        worth: ByRole { pawn: 1.6, knight: 2.8, bishop: 3.0, rook: 4.0, queen: 9.0, king: 5.0 },
        accepted: 0.2,
        queen: 10.0,
        enemy_pawn: 2.0,
        enemy_piece: 5.0,
        pawn_by_rank: [0.0, -2.0, -1.0, -0.25, -0.1, -0.05, -0.02, 0.0],
        ignorance: ByRole {
            pawn: 0.0,
            knight: -0.01,
            bishop: -0.01,
            rook: -0.02,
            queen: -0.025,
            king: -0.005,
        },
        pawn_danger: 2.5,
        danger: 3.0,
        danger_to_capturer: 3.0,
        just_moved: 1.5,
        unprotected: 0.25,
        protected: 0.85,
        reliance: ByRole { pawn: 0.4, knight: 0.4, bishop: 0.3, rook: 0.25, queen: 0.15, king: 0.35 },
        cheap_protector: 0.8,
        least_risk: 0.33,
    },
    position: PositionNumbers {
        protected: 0.025,
        open_file: 1.0,
        company: 0.1,
        lonely: 3,
        king_ahead: 0.4,
        king_open: 0.2,
    },
    progress: ProgressNumbers {
        by_men: [1.0, 0.6, 0.5, 0.3, 0.2, 0.1],
        mate: 5000.0,
        mate_later: 500.0,
        mate_depth: 5,
        mated: 300.0,
        loose: 500.0,
        region: 0.05,
        region_most: 60.0,
        region_scale: 0.5,
        centre: 3.2,
        distance: 0.15,
        ahead: 2.0,
        ahead_piece: 4.0,
        ahead_pawn: 1.6,
    },
    conversion: ConversionNumbers {
        few_men: 5,
        pawn: 3.0,
        piece: 6.0,
        drive: Drive { again: 1.5, again_and_again: 20.0, patience: 14, impatience: 0.1 },
        stalemate: 2400.0,
        small_risk: 0.01,
        shunned: 100.0,
    },
    endings: EndingNumbers {
        mate: 10_000.0,
        safe: 420.0,
        rook_near: 10.0,
        queen_near: 1.0,
        free_line: 12.0,
        lonely_line: 5.0,
        pawns_against: 5,
        king_near: 5.0,
        new_queen: 120.0,
        king_alone: 10.0,
        by_square: [1.0, 0.0, -2.0, -4.0],
    },
};
