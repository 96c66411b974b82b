//! The metaposition: own men, and for every square which hidden men may stand there.
//!
//! A metaposition merges all positions of a belief, however many, into a few words: for each kind of man the squares
//! where one may stand, the squares that may be empty, bounds on the number of men ([`Census`]), and how long ago each
//! square was last known ([`Metaposition::age`]). It is what Darkboard searches (Ciancarini and Favini 2010, section 4.3; IJCAI-07). It
//! forgets what belongs together, so it is much larger than the belief, but **it never excludes a position of the
//! belief**; `tests/metaposition.rs` compares it with the exact tracker after every event of whole games.
//!
//! | what is heard | module |
//! |---|---|
//! | an own move, a refusal | `own` |
//! | the opponent's unseen move | `unseen` |
//! | checks, and their absence | `checks` |
//! | pawn tries, and their absence | `tries` |
//!
//! What that leaves to be tried says [`Legality`].
//!
//! What differs from Darkboard, as far as its rules are known:
//!
//! - Sets of squares (bitboards) in place of a byte a square, so that all men of a kind move at once.
//! - Its shortcuts that may exclude the truth are gone: a pawn that reaches the first rank may become any piece *and* the
//!   count of pawns loses its lower bound; a capture that may be en passant leaves both squares open; a refusal says nothing
//!   of a man that may be pinned, wherever its line comes from; castling moves two men; an enemy pawn that
//!   may be pinned need not have announced its tries.
//! - More is concluded where it is free: men that would be checking the own king are not there; a check that can come
//!   from one square alone reveals it; if nothing but the king can have moved, he has; bounds on files and totals
//!   draw each other together; a refused step of the king next to which no other man can bear finds the enemy king,
//!   not only when he is bare.
//! - It works under every ruleset. What a ruleset does not announce is simply not concluded; the number of refusals of
//!   the opponent is not used.

mod boards;
mod census;
mod chances;
pub mod checks;
pub mod fill;
mod legality;
mod own;
mod tries;
mod unseen;

use nebel_kriegspiel::{
    Answer, AskAnswer, Bitboard, Chess, Color, Directions, Event, File, Input, OwnMen, Position, Role, Rules,
    Square, Tries,
    rules::{EnPassant, PromotionAnnounced},
};
use shakmaty::ByRole;

pub use self::{
    census::{Bounds, Census},
    chances::Chances,
    legality::Legality,
};

/// One side's metaposition.
///
/// ```
/// use nebel_kriegspiel::{Chess, Color, Event, Role, Rules, Square};
/// use nebel_belief::metaposition::Metaposition;
///
/// let mut meta = Metaposition::new(&Rules::icc(), &Chess::new(), Color::White);
/// for line in [
///     r#"{"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}"#,
///     r#"{"by":"black","answer":"moved","tries":{"count":1}}"#,
/// ] {
///     meta.hear(&Event::from_json(line).unwrap());
/// }
/// assert!(meta.may_hold(Role::Pawn).contains(Square::D5) && meta.may_hold(Role::Pawn).contains(Square::F5));
/// assert_eq!(meta.may_hold(Role::King).single_square(), Some(Square::E8));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metaposition {
    own: OwnMen,
    /// Where a hidden man of each role may stand.
    may: ByRole<Bitboard>,
    /// The squares that may be empty; none of them holds an own man.
    empty: Bitboard,
    census: Census,
    /// The hidden rooks that may still castle.
    castling: Bitboard,
    /// The own pawn that has just made a double step.
    passed: Option<Square>,
    /// The check the own king is in.
    check: Directions,
    /// The check the other king is in.
    other_check: Directions,
    tries: Option<Tries>,
    other_tries: Option<Tries>,
    told: Told,
    ages: [u8; 64],
}

/// What the rules tell besides captures, checks and tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Told {
    promotion: bool,
    en_passant: bool,
}

/// The age of a square that surely holds a hidden man, and of all that is as good as unknown.
pub const OLD: u8 = 30;

/// The age of the men at the start (Darkboard's).
const AGE_AT_START: u8 = 10;

impl Metaposition {
    /// At the start of a game, which both sides see.
    pub fn new(rules: &Rules, start: &Chess, side: Color) -> Metaposition {
        let board = start.board();
        let hidden = board.by_color(!side);
        let mut ages = [0; 64];
        for square in hidden {
            ages[usize::from(square)] = AGE_AT_START;
        }
        let in_check = Directions::on_king(board, start.turn());
        let is_own = start.turn() == side;
        Metaposition {
            own: OwnMen::of(start, side),
            may: ByRole::new_with(|role| board.by_role(role) & hidden),
            empty: !board.occupied(),
            census: Census::of(hidden, hidden & board.pawns()),
            castling: start.castles().castling_rights() & hidden,
            passed: start
                .ep_square(shakmaty::EnPassantMode::PseudoLegal)
                .filter(|_| !is_own)
                .and_then(|to| to.offset(side.fold_wb(8, -8))),
            check: if is_own { in_check } else { Directions::NONE },
            other_check: if is_own { Directions::NONE } else { in_check },
            tries: None,
            other_tries: None,
            told: Told {
                promotion: rules.promotion == PromotionAnnounced::Heard,
                en_passant: rules.en_passant == EnPassant::LandingSquare,
            },
            ages,
        }
    }

    /// Takes in an event of this side's view. Events that do not fit change little and break nothing.
    pub fn hear(&mut self, event: &Event) {
        let own = self.own.color();
        match event {
            Event::Attempt { by, said, answer } if *by == own => {
                let Some(attempt) = said.as_ref().and_then(Input::attempt) else { return };
                match answer {
                    Answer::Moved(announcement) => self.moved(attempt, announcement),
                    Answer::Illegal => self.refused(attempt),
                    Answer::Nonsense => {}
                }
            }
            Event::Attempt { answer: Answer::Moved(announcement), .. } => self.other_moved(announcement),
            Event::Ask { by, answer } if *by == own => {
                if let Some(tries) = answered(*answer) {
                    self.tries = Some(tries);
                    self.hear_own_tries(tries, self.check);
                    self.settle();
                }
            }
            Event::Ask { answer, .. } => {
                if let Some(tries) = answered(*answer) {
                    self.other_tries = Some(tries);
                    self.hear_other_tries(tries, self.other_check);
                    self.settle();
                }
            }
            Event::Attempt { .. } | Event::End { .. } => {}
        }
    }

    /// The own men.
    #[inline]
    pub fn own(&self) -> &OwnMen {
        &self.own
    }

    /// Where a hidden man of this role may stand.
    #[inline]
    pub fn may_hold(&self, role: Role) -> Bitboard {
        *self.may.get(role)
    }

    /// Where any hidden man may stand.
    #[inline]
    pub fn may_hold_any(&self) -> Bitboard {
        self.may_hold_other_than_king() | self.may.king
    }

    /// Where a hidden man that is not the king may stand.
    #[inline]
    pub fn may_hold_other_than_king(&self) -> Bitboard {
        self.may.pawn | self.may.knight | self.may.bishop | self.may.rook | self.may.queen
    }

    /// The squares that may be empty.
    #[inline]
    pub fn may_be_empty(&self) -> Bitboard {
        self.empty
    }

    /// The squares that surely hold a hidden man.
    #[inline]
    pub fn surely_held(&self) -> Bitboard {
        !self.empty & !self.own.squares()
    }

    /// How many men the other side has.
    #[inline]
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// The hidden rooks that may still castle.
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The check the own king is in.
    pub fn check(&self) -> Directions {
        self.check
    }

    /// The tries of the own pawns, if they were told.
    pub fn tries(&self) -> Option<Tries> {
        self.tries
    }

    /// How many moves ago a square was last known to be empty, up to [`OLD`]; zero where an own man stands.
    #[inline]
    pub fn age(&self, square: Square) -> u8 {
        self.ages[usize::from(square)]
    }

    /// The ages of all squares together.
    #[inline]
    pub fn total_age(&self) -> u32 {
        self.ages.iter().map(|&age| u32::from(age)).sum()
    }

    /// Nothing stands on these squares.
    fn clear(&mut self, squares: Bitboard) {
        self.forget(squares);
        self.empty |= squares & !self.own.squares();
    }

    /// No hidden man stands on these squares.
    #[inline]
    fn forget(&mut self, squares: Bitboard) {
        for role in Role::ALL {
            *self.may.get_mut(role) &= !squares;
        }
    }

    /// Men of this role surely stand on these squares.
    fn settle_as(&mut self, squares: Bitboard, role: Role) {
        self.forget(squares);
        *self.may.get_mut(role) |= squares;
        self.empty &= !squares;
    }

    /// Draws conclusions from numbers: of men, of pawns on files, of squares that are left for them.
    fn settle(&mut self) {
        self.may.pawn &= !Bitboard::BACKRANKS;
        self.census.settle(self.may.pawn);
        if self.census.pieces().most == 0 {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                *self.may.get_mut(role) = Bitboard::EMPTY;
            }
        }
        if self.census.pawns().most == 0 {
            self.may.pawn = Bitboard::EMPTY;
        }
        for file in File::ALL {
            let bounds = self.census.on(file);
            let pawns = self.may.pawn & Bitboard::from(file);
            if bounds.most == 0 {
                self.may.pawn &= !pawns;
            } else if pawns.count() == usize::from(bounds.least) {
                self.settle_as(pawns, Role::Pawn);
            }
        }
        let bare = self.surely_held() & !self.may_hold_other_than_king();
        if bare.any() {
            self.may.king &= bare;
        }
        if let Some(square) = self.may.king.single_square() {
            self.settle_as(Bitboard::from_square(square), Role::King);
        }
        let men = usize::from(self.census.men());
        let held = self.surely_held() & !self.may.king;
        let others = self.may_hold_other_than_king();
        if held.count() == men {
            for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                *self.may.get_mut(role) &= held;
            }
        } else if others.count() == men {
            self.empty &= !others;
            self.may.king &= !others;
        }
        let nothing = !self.may_hold_any() & !self.own.squares();
        self.empty |= nothing;
        self.castling &= self.may.rook;
        if !self.may.king.contains(self.king_home()) {
            self.castling = Bitboard::EMPTY;
        }
    }

    /// Where the other king castles from.
    fn king_home(&self) -> Square {
        Square::from_coords(File::E, (!self.own.color()).backrank())
    }

    /// A move later: what may have changed grows older.
    #[inline]
    fn grow_older(&mut self) {
        let (may, empty) = (self.may_hold_any(), self.empty);
        for (index, age) in self.ages.iter_mut().enumerate() {
            let one = Bitboard(1 << index);
            *age = if (may & one).is_empty() {
                0
            } else if (empty & one).is_empty() {
                OLD
            } else {
                (*age + 1).min(OLD)
            };
        }
    }
}

fn answered(answer: AskAnswer) -> Option<Tries> {
    match answer {
        AskAnswer::Yes => Some(Tries::Any(true)),
        AskAnswer::No => Some(Tries::Any(false)),
        AskAnswer::Nonsense => None,
    }
}
