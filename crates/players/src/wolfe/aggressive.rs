//! White's program: of a few positions of its belief a static look at its own move and the reply to it.

use nebel_kriegspiel::{Color, Role, Square};
use nebel_position::{Position, Side};
use nebel_prover::{
    Kriegspiel,
    domain::{ASK, decode},
};
use nebel_search::{AttemptId, Domain, Outcome};
use shakmaty::attacks;

/// White looks at so many positions of its belief.
pub const LOOKED_AT: usize = 64;

/// The attempts of White that some of these positions allow, the best first.
pub fn aggressive(domain: &Kriegspiel, belief: &[Position]) -> Vec<nebel_kriegspiel::Attempt> {
    let mut attempts = Vec::new();
    for position in belief {
        domain.attempts(position, &mut attempts);
    }
    attempts.sort_unstable();
    attempts.dedup();
    attempts.retain(|&attempt| attempt != ASK);
    let mut scored: Vec<(f64, AttemptId)> =
        attempts.into_iter().map(|attempt| (score(domain, belief, attempt), attempt)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let decoded = scored.into_iter().map(|(_, attempt)| decode(attempt));
    decoded.map(|(from, to, promotion)| nebel_kriegspiel::Attempt { from, to, promotion }).collect()
}

/// The mean worth of an attempt where it is legal, with a little for each position in which a refusal would tell
/// something.
fn score(domain: &Kriegspiel, belief: &[Position], attempt: AttemptId) -> f64 {
    let (mut sum, mut legal) = (0.0, 0.0);
    for position in belief {
        match domain.outcome(position, attempt) {
            Outcome::Refused => continue,
            Outcome::Won(_) => sum += 50.0,
            Outcome::Failed => sum -= 50.0,
            Outcome::Moved { state, .. } => sum += worth(position, &state),
            Outcome::Answered { .. } => {}
        }
        legal += 1.0;
    }
    let refused = belief.len() as f64 - legal;
    if legal == 0.0 { f64::MIN } else { sum / legal + 0.2 * refused / belief.len() as f64 }
}

/// Material won, less what may be lost to the reply; checks, a hemmed-in king and advanced pawns on top.
fn worth(before: &Position, after: &Position) -> f64 {
    let black = |position: &Position| {
        Role::ALL.map(|role| value(role) * count(position, Color::Black, role)).iter().sum::<f64>()
    };
    let own = |position: &Position| {
        Role::ALL.map(|role| value(role) * count(position, Color::White, role)).iter().sum::<f64>()
    };
    let gained = black(before) - black(after) + own(after) - own(before);
    let king = after.king(Color::Black);
    let flights = attacks::king_attacks(king)
        .into_iter()
        .filter(|&square| {
            !after.side(Color::Black).contains(square)
                && after.half(Color::White).attackers(Color::White, square, after.occupied()).is_empty()
        })
        .count() as f64;
    let checks = if after.checkers(Color::Black).any() { 0.6 } else { 0.0 };
    let pawns =
        after.men(Color::White, Role::Pawn).into_iter().map(|pawn| 0.02 * f64::from(u8::from(pawn) / 8));
    gained - hanging(after) + checks - 0.08 * flights + pawns.sum::<f64>()
}

/// The most that Black can win with one capture.
fn hanging(position: &Position) -> f64 {
    let occupied = position.occupied();
    let loss = |square: Square| {
        let role = position.role_at(square).unwrap_or(Role::King);
        let attackers = position.half(Color::Black).attackers(Color::Black, square, occupied);
        if role == Role::King || attackers.is_empty() {
            return 0.0;
        }
        if position.half(Color::White).attackers(Color::White, square, occupied).is_empty() {
            return value(role);
        }
        let cheapest = attackers
            .into_iter()
            .filter_map(|attacker| position.role_at(attacker))
            .map(value)
            .fold(f64::MAX, f64::min);
        (value(role) - cheapest).max(0.0)
    };
    position.side(Color::White).into_iter().map(loss).fold(0.0, f64::max)
}

fn count(position: &Position, color: Color, role: Role) -> f64 {
    position.men(color, role).count() as f64
}

/// The usual worth of a man; the king's is not for sale.
pub(super) fn value(role: Role) -> f64 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 0.0,
    }
}
