//! Boards that agree with the last observation: what the own men, the men still on the board, the
//! last announcement and this turn's refusals say, and nothing that was heard before.
//!
//! A board is drawn by putting the other side's men on free squares, each equally likely, after
//! placing what the announcement asks for (a man where a capture was announced, a checker on the
//! line); then the umpire's announcement is computed and compared. Which men were lost is drawn at
//! random where the umpire did not say. Pawns that may have been promoted stay pawns.

use nebel_kriegspiel::{
    Announcement, Answer, AskAnswer, Attempt, Bitboard, Chess, Color, Directions, Event, Kind, OwnSide,
    Position, Role, Square, announcement::PawnCaptures,
};
use nebel_position::{Key, Men, Side};
use rand::{
    RngExt,
    seq::{IndexedRandom, SliceRandom},
};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::view_state::ViewState;

/// What the last observation says.
#[derive(Clone, Debug)]
pub struct LastObservation {
    /// The men that the other side began with, king excluded.
    began_with: Vec<Role>,
    pawns_lost: usize,
    pieces_lost: usize,
    unknown_lost: usize,
    /// The announcement of the other side's last move.
    announced: Option<Announcement>,
    /// The answer to the own question in this turn.
    asked: Option<bool>,
}

/// How often a board is drawn before giving up.
const TRIES: usize = 200;

impl LastObservation {
    /// At the start of a game.
    pub fn new(start: &Chess, side: Color) -> LastObservation {
        let board = start.board();
        let others = board.by_color(!side) & !board.kings();
        LastObservation {
            began_with: others.into_iter().filter_map(|square| board.role_at(square)).collect(),
            pawns_lost: 0,
            pieces_lost: 0,
            unknown_lost: 0,
            announced: None,
            asked: None,
        }
    }

    /// Takes in an event of the view of `side`.
    pub fn hear(&mut self, event: &Event, side: Color) {
        match event {
            Event::Attempt { by, answer: Answer::Moved(announcement), .. } => {
                self.asked = None;
                if *by == side {
                    match announcement.capture.map(|capture| capture.kind) {
                        Some(Some(Kind::Pawn)) => self.pawns_lost += 1,
                        Some(Some(Kind::Piece)) => self.pieces_lost += 1,
                        Some(None) => self.unknown_lost += 1,
                        None => {}
                    }
                } else {
                    self.announced = Some(*announcement);
                }
            }
            Event::Ask { by, answer } if *by == side && *answer != AskAnswer::Nonsense => {
                self.asked = Some(*answer == AskAnswer::Yes);
            }
            _ => {}
        }
    }

    /// Draws a board on which it is this side's turn, every free square as likely as any other.
    pub fn draw(&self, hearing: &ViewState, random: &mut Xoshiro256PlusPlus) -> Option<Key> {
        self.draw_by(hearing, None, random)
    }

    /// Draws a board on which it is this side's turn, men put on squares by how much those weigh.
    pub fn draw_by(
        &self,
        hearing: &ViewState,
        weight: Option<Weight<'_>>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Key> {
        (0..TRIES).find_map(|_| {
            let key = Key::pack(&self.place(hearing.own(), weight, random)?);
            let position = hearing.position(key)?;
            self.agrees(&position, hearing.own()).then_some(key)
        })
    }

    /// Whether the position agrees with the last observation.
    fn agrees(&self, position: &Chess, own: &OwnSide) -> bool {
        let legal = position.legal_moves();
        let captures = PawnCaptures::among(&legal);
        let check = Directions::on_king(position.board(), own.men().color());
        let (heard_check, heard_tries) =
            self.announced.map_or((Directions::NONE, None), |announced| (announced.check, announced.tries));
        let is_refused = |attempt: &Attempt| legal.iter().all(|&m| Attempt::of_move(m) != *attempt);
        !legal.is_empty()
            && check == heard_check
            && (self.announced.is_none() || captures.announced(own.rules()) == heard_tries)
            && self.asked.is_none_or(|yes| yes == (captures.count > 0))
            && own.turn().refused().iter().all(is_refused)
    }

    /// Puts the men that are left on the board.
    fn place(
        &self,
        own: &OwnSide,
        weight: Option<Weight<'_>>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Men> {
        let mut left = self.men_left(random);
        left.shuffle(random);
        let mut placing = Placing { men: Men::EMPTY, free: !own.men().squares(), weight };
        if let Some(announced) = &self.announced {
            placing.demand(announced, own, &mut left, random)?;
        }
        // Unless the king is the man that captured, and stands there already.
        if !placing.men.all.contains(placing.men.king)
            || placing.men.role_at(placing.men.king) != Some(Role::King)
        {
            let king = placing.any_square(Role::King, random)?;
            placing.put(Role::King, king);
        }
        for role in left {
            let square = placing.any_square(role, random)?;
            placing.put(role, square);
        }
        Some(placing.men)
    }

    fn men_left(&self, random: &mut Xoshiro256PlusPlus) -> Vec<Role> {
        let mut men = self.began_with.clone();
        men.shuffle(random);
        let mut lose = |is_lost: &dyn Fn(Role) -> bool| {
            if let Some(index) = men.iter().position(|&role| is_lost(role)).or(men.len().checked_sub(1)) {
                men.swap_remove(index);
            }
        };
        (0..self.pawns_lost).for_each(|_| lose(&|role| role == Role::Pawn));
        (0..self.pieces_lost).for_each(|_| lose(&|role| role != Role::Pawn));
        (0..self.unknown_lost).for_each(|_| lose(&|_| true));
        men
    }
}

/// How likely a man of a role is on a square, to any scale.
pub type Weight<'a> = &'a dyn Fn(Role, Square) -> f32;

/// Men while they are put on the board.
struct Placing<'a> {
    men: Men,
    free: Bitboard,
    weight: Option<Weight<'a>>,
}

impl Placing<'_> {
    /// Places what the announcement asks for.
    fn demand(
        &mut self,
        announced: &Announcement,
        own: &OwnSide,
        left: &mut Vec<Role>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<()> {
        let king = own.men().by_role(Role::King).first()?;
        for direction in announced.check.iter() {
            let wanted = |role: &Role| direction.is_given_by(*role);
            let index = left.iter().position(wanted)?;
            let role = left.swap_remove(index);
            let line = direction.line(king) & self.free & allowed(role);
            let line: Vec<Square> = line.into_iter().collect();
            let square = *line.choose(random)?;
            self.put(role, square);
        }
        if let Some(capture) = announced.capture
            && self.free.contains(capture.square)
        {
            let fits: Vec<usize> =
                (0..left.len()).filter(|&index| allowed(left[index]).contains(capture.square)).collect();
            // The king captures too, if seldom.
            match fits.choose(random) {
                Some(&index) if !random.random_ratio(1, 20) => {
                    let role = left.swap_remove(index);
                    self.put(role, capture.square);
                }
                _ => self.put(Role::King, capture.square),
            }
        }
        Some(())
    }

    fn any_square(&self, role: Role, random: &mut Xoshiro256PlusPlus) -> Option<Square> {
        let squares = self.free & allowed(role);
        let count = squares.count();
        if count == 0 {
            return None;
        }
        if let Some(weight) = self.weight {
            let squares: Vec<Square> = squares.into_iter().collect();
            return squares.choose_weighted(random, |&square| weight(role, square)).ok().copied();
        }
        squares.into_iter().nth(random.random_range(0..count))
    }

    fn put(&mut self, role: Role, square: Square) {
        self.men.put(role, square);
        self.free.discard(square);
    }
}

/// Where a man of this role may stand.
fn allowed(role: Role) -> Bitboard {
    if role == Role::Pawn { !Bitboard::BACKRANKS } else { Bitboard::FULL }
}
