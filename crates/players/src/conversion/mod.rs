//! Finishing won games, whoever plays them: against a bare king, and before it comes to that.
//!
//! Kriegspiel points vanish here more than anywhere else: Darkboard drew most games that it had won, by stalemate, by
//! repetition, or by the fiftieth move. What all players do against it is in one place:
//!
//! | part | module |
//! |---|---|
//! | a bare king: tables and search | `finish` |
//! | a bare king without tables: Darkboard's hand-made values | `endings` |
//! | how the own men stood before, and for how long nothing has happened | `past` |
//! | how likely a move stalemates | `stalemate` |
//! | what all that is worth to a side that is ahead | `Drive`, and for `minimax` in `convert` |

pub(crate) mod convert;
pub(crate) mod endings;
pub(crate) mod finish;
pub(crate) mod past;
pub(crate) mod stalemate;

/// What drives a player on that would rather win than draw; each player has numbers of its own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Drive {
    /// The price of standing as the own men stood once before.
    pub(crate) again: f32,
    /// The price for each time, if it was more than once: the third may draw.
    pub(crate) again_and_again: f32,
    /// So many own moves without progress are nothing to worry about.
    pub(crate) patience: u32,
    /// What progress gains with each further move without it.
    pub(crate) impatience: f32,
}

impl Drive {
    /// The price of a placement that was there so often before.
    pub(crate) fn standing_again(&self, visits: usize) -> f32 {
        match visits {
            0 => 0.0,
            1 => self.again,
            more => self.again_and_again * more as f32,
        }
    }

    /// What progress is worth after so many own moves without it.
    pub(crate) fn hurry(&self, idle: u32) -> f32 {
        self.impatience * idle.saturating_sub(self.patience) as f32
    }
}
