//! The opponent's unseen move: all positions it may lead to that agree with what was heard.
//!
//! This is where tracking spends its time, so nothing is computed for a single successor that can be
//! had for a whole set of targets. What is heard becomes masks: a capture says where the man landed,
//! "no check" leaves out the squares that check, and the number of pawn tries says how many own pawns
//! attack the landing square. Moves that masks do not describe (castling, promotion, en passant, own
//! pawns that might be pinned) are made and judged one by one.

use nebel_kriegspiel::{Color, attempt::PROMOTIONS};
use nebel_position::{
    Captured, Checks, Key, Legal, Men, Side, Sides,
    key::Code,
    side::{forward, pawn_captures},
};
use shakmaty::{Bitboard, CastlingSide, Rank, Role, Square, attacks};

use crate::{
    announced::Announced,
    exact::skeleton::Skeleton,
    moved::Moved,
    static_mobility::StaticMobility,
    tries::{OwnPawns, Slides},
};

/// An unseen move and what was heard of it.
#[derive(Clone, Debug)]
pub struct HiddenMove {
    /// The side that moves.
    color: Color,
    before: Men,
    after: Men,
    heard: Announced,
    allowed: Allowed,
    pawns: OwnPawns,
    /// What own pawns, knights and king attack.
    steady: Bitboard,
    mobility: StaticMobility,
    /// Where a double step ends beside an own pawn.
    beside: Bitboard,
    /// Whether masks can decide ordinary moves: the game goes on without check, and with material.
    by_masks: bool,
}

/// Which moves the opponent's turn allows, apart from what was announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allowed {
    /// Any legal move.
    All,
    /// Captures by pawns: what is left after "any?" was answered "yes".
    PawnCaptures,
}

/// One position that is being expanded.
struct Scene<'a> {
    key: Key,
    hidden: &'a Men,
    legal: Legal<&'a Men, &'a Men>,
}

impl HiddenMove {
    /// A move of this colour against the own men `before`; `after` it, a captured one is gone.
    pub fn new(color: Color, before: Men, after: Men, heard: Announced, allowed: Allowed) -> HiddenMove {
        let mobility = StaticMobility::new(&after);
        let landing = Bitboard::from(color.fold_wb(Rank::Fourth, Rank::Fifth));
        let neighbours = after.pawns & landing;
        let diagonal = pawn_captures(neighbours, color);
        HiddenMove {
            by_masks: !heard.ends_on_the_board()
                && heard.announcement().check.is_empty()
                && (after.pawns | after.orthogonal()).any(),
            pawns: OwnPawns::new(&after, mobility.unpinnable(), !color),
            steady: before.steady_attacks(!color),
            beside: forward(diagonal, !color),
            color,
            before,
            after,
            heard,
            allowed,
            mobility,
        }
    }

    /// Calls `each` with every position after a legal move that agrees with what was heard, and with its
    /// skeleton. Two moves may lead to the same position.
    #[inline]
    pub fn expand(&self, key: Key, mut each: impl FnMut(Key, Skeleton)) {
        let hidden = &key.unpack();
        let sides = Sides { color: self.color, mover: hidden, other: &self.before };
        let scene = Scene { key, hidden, legal: sides.legal_knowing(self.steady) };
        match self.heard.announcement().capture {
            None => {
                if self.allowed == Allowed::All {
                    self.quiet_moves(&scene, &mut each);
                }
            }
            Some(capture) => self.captures(&scene, capture.captured_square(!self.color), &mut each),
        }
    }

    /// The position after one particular move, if it is legal here and agrees with what was heard.
    pub fn repeat(&self, key: Key, moved: Moved) -> Option<Key> {
        let (from, to) = (moved.from(), moved.to());
        let role = key.code_at(from)?.role();
        let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
        let becomes = moved.role();
        if if promotes { matches!(becomes, Role::Pawn | Role::King) } else { becomes != role } {
            return None;
        }
        let hidden = &key.unpack();
        let sides = Sides { color: self.color, mover: hidden, other: &self.before };
        if !sides.legal_knowing(self.steady).targets(role, from).contains(to) {
            return None;
        }
        let takes = role == Role::Pawn && from.file() != to.file();
        let captured = match self.before.role_at(to) {
            Some(role) => Some(Captured { square: to, role, passing: None }),
            None if takes => {
                let square = Square::from_coords(to.file(), from.rank());
                Some(Captured { square, role: Role::Pawn, passing: Some(to) })
            }
            None => None,
        };
        let is_allowed = takes || self.allowed == Allowed::All;
        if !is_allowed || !self.heard.fits_capture(captured) || !self.heard.fits_promotion(promotes) {
            return None;
        }
        let mut found = None;
        let mut keep = |key, _| found = Some(key);
        if role == Role::Pawn && from.distance(to) == 2 && self.beside.contains(to) {
            self.double_step(key.without(from), to, &mut keep);
        } else {
            self.judge(moved.apply(key), &mut keep);
        }
        found
    }

    /// Where a double step would end beside an own pawn.
    pub(crate) fn beside(&self) -> Bitboard {
        self.beside
    }

    /// Whether a position agrees with what was heard, as far as it can be told without knowing the one before it.
    pub(crate) fn may_have_led_to(&self, key: Key) -> bool {
        let hidden = key.unpack();
        let reply = self.reply(&hidden);
        let is_in_check = self.after.attackers(!self.color, hidden.king, reply.occupied()).any();
        !is_in_check && self.heard.fits(&reply.legal())
    }

    /// The side that moves.
    pub fn color(&self) -> Color {
        self.color
    }

    /// The own men before the move.
    pub fn before(&self) -> &Men {
        &self.before
    }

    #[inline]
    fn quiet_moves(&self, scene: &Scene<'_>, each: &mut impl FnMut(Key, Skeleton)) {
        if self.heard.fits_promotion(false) {
            self.ordinary(scene, !scene.legal.occupied(), each);
            if scene.hidden.castling.any() {
                self.castlings(scene, each);
            }
        }
        self.promotions(scene, !scene.legal.occupied(), each);
    }

    fn captures(&self, scene: &Scene<'_>, square: Square, each: &mut impl FnMut(Key, Skeleton)) {
        let captured = self.before.role_at(square).map(|role| Captured { square, role, passing: None });
        let target = Bitboard::from_square(square);
        if self.heard.fits_capture(captured) {
            if self.heard.fits_promotion(false) {
                self.ordinary(scene, target, each);
            }
            self.promotions(scene, target, each);
        }
        if let Some(to) = forward(self.before.passed & target, self.color).first() {
            let captured = Captured { square, role: Role::Pawn, passing: Some(to) };
            if self.heard.fits_capture(Some(captured)) && self.heard.fits_promotion(false) {
                self.en_passant(scene, to, each);
            }
        }
    }

    /// Moves of one man to one of the landing squares, where it stays what it is.
    #[inline]
    fn ordinary(&self, scene: &Scene<'_>, landing: Bitboard, each: &mut impl FnMut(Key, Skeleton)) {
        let Scene { key, hidden, legal } = *scene;
        let checks = Checks::on(self.after.king, !self.color, hidden, legal.occupied(), Bitboard::FULL);
        let is_given = checks.given(hidden).any();
        let by_masks = self.by_masks && !is_given && self.mobility.has_move(legal.occupied(), !self.color);
        let heard = self.heard.announcement();
        let victims = self.pawns.victims(hidden);
        let skeleton = Skeleton::of(hidden);
        let mut land = |role, from, targets: Bitboard, checking_from: Bitboard, slides| {
            let targets = targets & landing;
            if targets.is_empty() {
                return;
            }
            let base = if role == Role::King { key.without_castling() } else { key };
            let base = base.without(from);
            let checking = checks.by(from, checking_from);
            let code = Code::of(role);
            if by_masks {
                let rest = hidden.all & !Bitboard::from_square(from);
                let (sure, unsure) = victims.agreeing(heard.tries, from, rest, slides);
                let calm = targets & !checking;
                for to in calm & sure {
                    let skeleton = match role {
                        Role::Pawn => skeleton.with_pawn(from, to),
                        Role::King => skeleton.with_king(to),
                        _ => skeleton,
                    };
                    each(base.with(to, code), skeleton);
                }
                for to in calm & unsure {
                    let moved = hidden.moved(role, from, to);
                    if self.heard.fits_tries(&self.reply(&moved).legal()) {
                        each(base.with(to, code), Skeleton::of(&moved));
                    }
                }
                return;
            }
            let wanted = if is_given {
                targets
            } else if heard.check.is_empty() {
                targets & !checking
            } else {
                targets & checking
            };
            for to in wanted {
                self.judge_men(base.with(to, code), &hidden.moved(role, from, to), each);
            }
        };
        let home = Bitboard::from(self.color.fold_wb(Rank::Second, Rank::Seventh));
        for from in hidden.pawns {
            let mut reached =
                if heard.capture.is_some() { legal.pawn_captures_from(from) } else { legal.pawn_steps(from) };
            if home.contains(from) {
                // These double steps come with a right to capture en passant.
                reached &= !self.beside;
            }
            land(Role::Pawn, from, reached & !Bitboard::BACKRANKS, checks.pawn, Slides::No);
        }
        if self.allowed == Allowed::All {
            for from in hidden.knights {
                land(Role::Knight, from, legal.piece_targets(Role::Knight, from), checks.knight, Slides::No);
            }
            for from in hidden.bishops {
                land(Role::Bishop, from, legal.piece_targets(Role::Bishop, from), checks.bishop, Slides::Yes);
            }
            for from in hidden.rooks {
                land(Role::Rook, from, legal.piece_targets(Role::Rook, from), checks.rook, Slides::Yes);
            }
            for from in hidden.queens {
                let checking_from = checks.bishop | checks.rook;
                land(Role::Queen, from, legal.piece_targets(Role::Queen, from), checking_from, Slides::Yes);
            }
            land(Role::King, hidden.king, legal.king_steps(), Bitboard::EMPTY, Slides::No);
        }
        if self.beside.any() && heard.capture.is_none() {
            for from in hidden.pawns & home {
                for to in legal.pawn_steps(from) & self.beside {
                    self.double_step(key.without(from), to, each);
                }
            }
        }
    }

    /// A double step that ends beside an own pawn: it can be captured en passant if that is legal.
    #[inline]
    fn double_step(&self, base: Key, to: Square, each: &mut impl FnMut(Key, Skeleton)) {
        let marked = base.with(to, Code::PassedPawn);
        let hidden = marked.unpack();
        let legal = self.reply(&hidden).legal();
        if !self.heard.fits(&legal) {
            return;
        }
        if legal.may_capture_passed() {
            each(marked, Skeleton::of(&hidden));
        } else {
            each(base.with(to, Code::Pawn), Skeleton::of(&hidden));
        }
    }

    fn promotions(&self, scene: &Scene<'_>, landing: Bitboard, each: &mut impl FnMut(Key, Skeleton)) {
        let seventh = Bitboard::from(self.color.fold_wb(Rank::Seventh, Rank::Second));
        let pawns = scene.hidden.pawns & seventh;
        if pawns.is_empty() || !self.heard.fits_promotion(true) {
            return;
        }
        for from in pawns {
            let reached = scene.legal.pawn_steps(from) | scene.legal.pawn_captures_from(from);
            for to in reached & landing {
                for role in PROMOTIONS {
                    self.judge(scene.key.without(from).with(to, Code::of(role)), each);
                }
            }
        }
    }

    #[cold]
    fn castlings(&self, scene: &Scene<'_>, each: &mut impl FnMut(Key, Skeleton)) {
        for to in scene.legal.castling_targets() {
            let king = scene.hidden.king;
            let side = CastlingSide::from_queen_side(to < king);
            let rooks = scene.hidden.castling.into_iter();
            for rook in rooks.filter(|&rook| (rook < king) == side.is_queen_side()) {
                let lifted = scene.key.without_castling().without(king).without(rook);
                let castled = lifted.with(to, Code::King).with(side.rook_to(self.color), Code::Rook);
                self.judge(castled, each);
            }
        }
    }

    fn en_passant(&self, scene: &Scene<'_>, to: Square, each: &mut impl FnMut(Key, Skeleton)) {
        for from in attacks::pawn_attacks(!self.color, to) & scene.hidden.pawns {
            if scene.legal.pawn_captures_from(from).contains(to) {
                self.judge(scene.key.without(from).with(to, Code::Pawn), each);
            }
        }
    }

    /// Passes a successor on if its announcement is the one heard.
    fn judge(&self, successor: Key, each: &mut impl FnMut(Key, Skeleton)) {
        self.judge_men(successor, &successor.unpack(), each);
    }

    /// The same with the successor's men.
    #[inline]
    fn judge_men(&self, successor: Key, hidden: &Men, each: &mut impl FnMut(Key, Skeleton)) {
        if self.heard.fits(&self.reply(hidden).legal()) {
            each(successor, Skeleton::of(hidden));
        }
    }

    /// The position as the own side meets it.
    fn reply<'a>(&'a self, hidden: &'a Men) -> Sides<&'a Men, &'a Men> {
        Sides { color: !self.color, mover: &self.after, other: hidden }
    }
}
