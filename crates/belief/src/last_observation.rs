//! Boards that agree with the last observation: what the own men, the men still on the board, the
//! last announcement and this turn's refusals say, and nothing that was heard before.
//!
//! A board is drawn by putting the other side's men on free squares, each equally likely, after
//! placing what the announcement asks for (a man where a capture was announced, a checker on the
//! line); then the umpire's announcement is computed and compared. Which men were lost is drawn at
//! random where the umpire did not say. Pawns are promoted where it was announced, where more pieces were lost than there were,
//! and where no other man can give the check; those that may have been promoted unseen stay pawns.

use nebel_kriegspiel::{
    Announcement, Answer, AskAnswer, Attempt, Bitboard, Chess, Color, Direction, Directions, Event, File,
    Kind, OwnSide, Position, Role, Square, announcement::PawnCaptures,
};
use nebel_position::{Key, Men, Side};
use rand::{
    RngExt,
    seq::{IndexedRandom, SliceRandom},
};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{metaposition::Census, view_state::ViewState};

/// What the last observation says.
#[derive(Clone, Debug)]
pub struct LastObservation {
    /// The men that the other side began with, king excluded.
    began_with: Vec<Role>,
    pawns_lost: usize,
    pieces_lost: usize,
    unknown_lost: usize,
    /// Promotions that were announced.
    promoted: usize,
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
            promoted: 0,
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
                    self.promoted += usize::from(announcement.promotion);
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
        self.draw_knowing(hearing, Known { weight, census: None }, random)
    }

    /// All boards on which it is this side's turn, where at most two men are left and they are not more than `most`.
    pub fn all(&self, hearing: &ViewState, most: usize) -> Option<Vec<Key>> {
        let lost = self.pawns_lost + self.pieces_lost + self.unknown_lost;
        let free = !hearing.own().men().squares();
        let mut boards = Vec::new();
        let mut add = |men: &Men| {
            let key = Key::pack(men);
            if hearing.position(key).is_some_and(|position| self.agrees(&position, hearing.own())) {
                boards.push(key);
            }
        };
        for king in free {
            let mut men = Men::EMPTY;
            men.put(Role::King, king);
            match self.began_with.len().saturating_sub(lost) {
                0 => add(&men),
                1 => {
                    for role in self.last_man() {
                        for square in free.without(king) & allowed(role) {
                            let mut men = men;
                            men.put(role, square);
                            add(&men);
                        }
                    }
                }
                _ => return None,
            }
        }
        (boards.len() <= most).then_some(boards)
    }

    /// What the last man beside the king can be.
    fn last_man(&self) -> Vec<Role> {
        let pawns = self.began_with.iter().filter(|&&role| role == Role::Pawn).count();
        let pieces = self.began_with.len() - pawns;
        Role::ALL
            .into_iter()
            .filter(|&role| match role {
                Role::King => false,
                Role::Pawn => pawns > self.pawns_lost + self.promoted,
                _ => {
                    let began = self.began_with.contains(&role) && pieces > self.pieces_lost;
                    began || pawns > self.pawns_lost && (self.promoted > 0 || pieces < self.pieces_lost)
                }
            })
            .collect()
    }

    /// Draws a board on which it is this side's turn, by all that is known besides.
    pub fn draw_knowing(
        &self,
        hearing: &ViewState,
        known: Known<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Key> {
        (0..TRIES).find_map(|_| {
            let key = Key::pack(&self.place(hearing.own(), known, random)?);
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
    fn place(&self, own: &OwnSide, known: Known<'_>, random: &mut Xoshiro256PlusPlus) -> Option<Men> {
        let mut left = self.men_left(random);
        left.shuffle(random);
        let pawns = left.iter().filter(|&&role| role == Role::Pawn).count();
        let mut placing = Placing { men: Men::EMPTY, free: !own.men().squares(), known, pawns };
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
        for _ in 0..self.promoted {
            promote(&mut men, Role::Queen);
        }
        men
    }
}

/// One of the pawns becomes another man; whether there was one.
fn promote(men: &mut [Role], to: Role) -> Option<usize> {
    let index = men.iter().position(|&role| role == Role::Pawn)?;
    men[index] = to;
    Some(index)
}

/// How likely a man of a role is on a square, to any scale.
pub type Weight<'a> = &'a dyn Fn(Role, Square) -> f32;

/// What is known besides the last observation when a board is drawn.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// How much squares weigh; all alike if left out.
    pub weight: Option<Weight<'a>>,
    /// How many pawns can be on each file (Ciancarini and Favini 2010, section 5.1); any number if left out.
    pub census: Option<&'a Census>,
}

/// Men while they are put on the board.
struct Placing<'a> {
    men: Men,
    free: Bitboard,
    known: Known<'a>,
    /// Pawns that are still to be placed.
    pawns: usize,
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
            let promoted = if direction == Direction::Knight { Role::Knight } else { Role::Queen };
            let index = left.iter().position(wanted).or_else(|| {
                self.pawns = self.pawns.saturating_sub(1);
                promote(left, promoted)
            })?;
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
        let files = self.known.census.filter(|_| role == Role::Pawn).map(|census| self.files(census));
        let squares = self.free & allowed(role) & files.unwrap_or(Bitboard::FULL);
        let count = squares.count();
        if count == 0 {
            return None;
        }
        if let Some(weight) = self.known.weight {
            let squares: Vec<Square> = squares.into_iter().collect();
            return squares.choose_weighted(random, |&square| weight(role, square)).ok().copied();
        }
        squares.into_iter().nth(random.random_range(0..count))
    }

    /// The files where the next pawn can be: those that need one, if all that are left are needed, else those that have room.
    fn files(&self, census: &Census) -> Bitboard {
        let on = |file: File| (self.men.pawns & Bitboard::from(file)).count() as u8;
        let wanting = |file: &File| on(*file) < census.on(*file).least;
        let needed: u8 =
            File::ALL.into_iter().map(|file| census.on(file).least.saturating_sub(on(file))).sum();
        let is_open = |file: &File| {
            if usize::from(needed) >= self.pawns { wanting(file) } else { on(*file) < census.on(*file).most }
        };
        File::ALL.into_iter().filter(is_open).fold(Bitboard::EMPTY, |all, file| all | Bitboard::from(file))
    }

    fn put(&mut self, role: Role, square: Square) {
        self.pawns -= usize::from(role == Role::Pawn && self.pawns > 0);
        self.men.put(role, square);
        self.free.discard(square);
    }
}

/// Where a man of this role may stand.
fn allowed(role: Role) -> Bitboard {
    if role == Role::Pawn { !Bitboard::BACKRANKS } else { Bitboard::FULL }
}
