//! The words of kriegspiel.org in ours: its names of rulesets, and its sentences about a move.

use nebel_kriegspiel::{
    Announcement, Bitboard, Capture, Color, Direction, Kind, Over, Reason, Rules, Square, Tries,
    rules::{CaptureDetail, TriesAnnounced},
};

/// The site's name of a ruleset, and our rules.
type Named = (&'static str, fn() -> Rules);

/// Our rules by the names that they have on the site.
const RULES: [Named; 6] = [
    ("berkeley", Rules::berkeley),
    ("berkeley_any", Rules::berkeley_any),
    ("wild16", Rules::icc),
    ("cincinnati", Rules::cincinnati),
    ("rand", Rules::rand),
    ("english", Rules::english),
];

/// Our rules for a variant of the site, if we have them.
pub(super) fn rules_of(variant: &str) -> Option<Rules> {
    RULES.iter().find(|(theirs, _)| *theirs == variant).map(|(_, ours)| ours())
}

/// The variant of the site for rules of ours.
pub(super) fn variant_of(rules: &str) -> Option<&'static str> {
    RULES.iter().find(|(_, ours)| ours().name == rules).map(|(theirs, _)| *theirs)
}

/// All variants that we play.
pub(super) fn variants() -> Vec<&'static str> {
    RULES.iter().map(|(theirs, _)| *theirs).collect()
}

/// Takes a sentence about a move into its announcement; whether it is known.
pub(super) fn take(message: &str, announcement: &mut Announcement, rules: &Rules) -> bool {
    if let Some((what, square)) = message.rsplit_once(" at ") {
        let kind = match what {
            "Capture done" | "En passant capture" => None,
            "Pawn captured" => Some(Kind::Pawn),
            what if what.ends_with(" captured") => Some(Kind::Piece),
            _ => return false,
        };
        let Some(square) = square_of(square) else { return false };
        let kind = kind.filter(|_| rules.capture == CaptureDetail::Kind);
        announcement.capture = Some(Capture { square, kind, en_passant: what == "En passant capture" });
    } else if let Some((_, direction)) = CHECKS.iter().find(|(text, _)| *text == message) {
        announcement.check.insert(*direction);
    } else if let Some(over) = end_of(message) {
        announcement.over = Some(over);
    } else if message == "Promotion" {
        announcement.promotion = true;
    } else {
        return message == "Move complete";
    }
    true
}

/// The site's words for directions.
const CHECKS: [(&str, Direction); 5] = [
    ("Check by knight", Direction::Knight),
    ("Check on rank", Direction::Rank),
    ("Check on file", Direction::File),
    ("Check on long diagonal", Direction::Long),
    ("Check on short diagonal", Direction::Short),
];

fn end_of(message: &str) -> Option<Over> {
    let (how, winner) = message.split_once(" — ").unwrap_or((message, ""));
    let reason = match how {
        "Checkmate" => Reason::Checkmate,
        "Stalemate" | "Draw by stalemate" => Reason::Stalemate,
        "Draw by insufficient material" => Reason::Material,
        "Draw by too many reversible moves" => Reason::Fifty,
        _ => return None,
    };
    match winner {
        "White wins" => Some(Over::lost_by(Color::Black, reason)),
        "Black wins" => Some(Over::lost_by(Color::White, reason)),
        "" => Some(Over::draw(reason)),
        _ => None,
    }
}

/// What a sentence tells of tries under rules that announce them so.
pub(super) fn tries(message: &str, announced: TriesAnnounced) -> Option<Tries> {
    let none = message == "No pawn captures";
    match announced {
        TriesAnnounced::Count if none => Some(Tries::Count(0)),
        TriesAnnounced::Count => {
            let (count, word) = message.split_once(' ')?;
            let is_told = matches!(word, "pawn try" | "pawn tries");
            count.parse().ok().filter(|_| is_told).map(Tries::Count)
        }
        TriesAnnounced::Any => (none || message == "Has pawn capture").then_some(Tries::Any(!none)),
        TriesAnnounced::From if none => Some(Tries::From(Bitboard::EMPTY)),
        TriesAnnounced::From => {
            let squares =
                message.strip_prefix("Pawn tries from ").or(message.strip_prefix("Pawn try from "))?;
            squares.split(", ").map(square_of).collect::<Option<Bitboard>>().map(Tries::From)
        }
        TriesAnnounced::Never | TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry => None,
    }
}

/// The site writes squares large.
fn square_of(text: &str) -> Option<Square> {
    text.to_ascii_lowercase().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulesets_are_named_in_both_ways() {
        for theirs in variants() {
            assert_eq!(variant_of(&rules_of(theirs).unwrap().name), Some(theirs));
        }
        assert!(rules_of("crazykrieg").is_none() && variant_of("village").is_none());
        assert_eq!(variants().len(), Rules::KNOWN.len());
    }
}
