//! Games of the finisher against a king, refereed physically: the measure of what a player gains.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::Square;

use crate::finisher::Finisher;
use crate::king_belief::KingBelief;
use crate::online::SolverLimits;
use crate::placement::Placement;
use crate::referee::{Referee, Reply, Ruling};

/// How a black king defends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defence {
    /// Any legal reply, each as likely as the others.
    Random,
    /// Takes what he can, else keeps to the centre: by the paper's conclusion often the best there is.
    Stubborn,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// White mated with this move.
    Mate(u16),
    /// Stalemate, by White's move or for White.
    Stalemate,
    /// Too little material is left.
    Material,
    /// The limit of moves was reached.
    Length,
}

/// Plays out one game with the king on `king`, of which White knows only that it is one of `king_belief`'s squares.
///
/// `None` if the position is illegal.
pub fn play(
    finisher: &mut Finisher,
    mut king_belief: KingBelief,
    king: Square,
    defence: Defence,
    seed: u64,
    most: u16,
    limits: SolverLimits<'_>,
) -> Option<Ended> {
    let mut referee = Referee::new(king_belief.placement(), king)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    finisher.new_game();
    for number in 1..=most {
        let message = loop {
            let Some(finish) = finisher.choose(&king_belief, limits) else {
                return Some(Ended::Stalemate);
            };
            match referee.attempt(finish.attempt) {
                Ruling::Refused => king_belief.refused(finish.attempt),
                Ruling::Mate => return Some(Ended::Mate(number)),
                Ruling::Draw if referee.replies().is_empty() => return Some(Ended::Stalemate),
                Ruling::Draw => return Some(Ended::Material),
                Ruling::Moved(message) => break (finish.attempt, message),
            }
        };
        king_belief.moved(message.0, message.1);
        let reply = defence.choose(&referee.replies(), &mut random)?;
        if !referee.reply(&reply) {
            return Some(Ended::Material);
        }
        king_belief.replied(reply.takes.then_some(reply.to));
        debug_assert!(referee.king().is_some_and(|king| king_belief.set() & crate::board::bit(king) != 0));
    }
    Some(Ended::Length)
}

impl Defence {
    /// The reply he makes; `None` if there is none.
    pub fn choose(self, replies: &[Reply], random: &mut Xoshiro256PlusPlus) -> Option<Reply> {
        let any = random.random_range(0..replies.len().max(1));
        match self {
            Defence::Random => replies.get(any),
            // Equals are taken in turn from a random start.
            Defence::Stubborn => replies
                .iter()
                .cycle()
                .skip(any)
                .take(replies.len())
                .min_by_key(|reply| (!reply.takes, from_centre(reply.to))),
        }
        .cloned()
    }
}

fn from_centre(square: Square) -> i32 {
    let off = |line: i32| (2 * line - 7).abs();
    off(i32::from(square.file())).max(off(i32::from(square.rank())))
}

/// A random placement of these men with room for the king, for experiments.
pub fn random_placement(men: &[shakmaty::Role], seed: u64) -> Placement {
    use shakmaty::Role;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    loop {
        let mut square = |role: Role| {
            let ranks = if role == Role::Pawn { 8..56 } else { 0..64 };
            Square::new(random.random_range(ranks))
        };
        let king = square(Role::King);
        let men: Vec<(Role, Square)> = men.iter().map(|&role| (role, square(role))).collect();
        if let Ok(placement) = Placement::new(crate::board::Board::CHESS, king, men)
            && placement.king_squares(crate::board::Board::CHESS) != 0
        {
            return placement;
        }
    }
}
