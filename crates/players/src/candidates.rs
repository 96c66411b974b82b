//! Which attempts are worth a thought, whoever thinks.

use nebel_belief::metaposition::Legality;
use nebel_kriegspiel::{Attempt, Role};

/// Of the attempts that make sense, those that may be legal by all that was heard, promotion to a queen alone; whatever makes sense if
/// nothing else is left.
pub(crate) fn worth_trying(sensible: &[Attempt], legality: &Legality<'_>) -> Vec<Attempt> {
    let possible: Vec<Attempt> =
        sensible.iter().copied().filter(|&attempt| legality.may_be(attempt)).collect();
    let is_wanted = |attempt: &Attempt| matches!(attempt.promotion, None | Some(Role::Queen));
    let wanted: Vec<Attempt> = possible.iter().copied().filter(is_wanted).collect();
    let left = [wanted, possible].into_iter().find(|attempts| !attempts.is_empty());
    left.unwrap_or_else(|| sensible.to_vec())
}
