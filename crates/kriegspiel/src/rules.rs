//! What the umpire announces, as data.
//!
//! A ruleset is a value of [`Rules`]; nothing else in the program asks for a ruleset by name. The
//! six known ones are [`Rules::KNOWN`], and a seventh is a JSON file with the same fields
//! ([`Rules::from_json`]).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::start::{in_one_line, shortened};

/// One ruleset.
///
/// ```
/// use nebel_kriegspiel::Rules;
///
/// let text = serde_json::to_string(&Rules::icc()).unwrap();
/// assert_eq!(Rules::from_json(&text).unwrap(), Rules::icc());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The name that transcripts carry.
    pub name: Cow<'static, str>,
    /// What the other side hears of an attempt that was refused.
    pub refusals: Refusals,
    /// The word with which nonsense is refused.
    pub nonsense: NonsenseWord,
    /// What both sides hear of a capture, besides its square.
    pub capture: CaptureDetail,
    /// How an en passant capture is announced.
    pub en_passant: EnPassant,
    /// What both sides hear of the pawn captures of the side to move.
    pub tries: TriesAnnounced,
    /// Whether both sides hear of a promotion (never to what).
    pub promotion: PromotionAnnounced,
    /// What stalemate is worth.
    pub stalemate: Stalemate,
    /// The draws that the umpire calls besides stalemate.
    pub draws: Draws,
}

/// What the other side hears of a refused attempt that made sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Refusals {
    /// It hears that there was one, not which.
    Heard,
    /// It hears nothing.
    Silent,
}

/// The word with which nonsense is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NonsenseWord {
    /// "nonsense"
    Nonsense,
    /// "illegal", as for any other refusal.
    Illegal,
}

/// What is said of a captured man.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CaptureDetail {
    /// Its square alone.
    Square,
    /// Its square, and whether it was a pawn or a piece.
    Kind,
}

/// How an en passant capture is announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EnPassant {
    /// As a capture on the square of the captured pawn.
    CapturedSquare,
    /// As a capture on the square where the capturing pawn lands, with the words "en passant".
    LandingSquare,
}

/// What both sides hear of the pawn captures of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TriesAnnounced {
    /// Nothing.
    Never,
    /// Nothing unless the side to move asks "any?"; after "yes" it may only capture with a pawn.
    AskBinding,
    /// Nothing unless the side to move asks "any?"; after "yes" it must try one pawn capture.
    AskOneTry,
    /// How many there are.
    Count,
    /// Whether there is one.
    Any,
    /// From which squares there is one.
    From,
}

/// Whether a promotion is announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PromotionAnnounced {
    /// Both sides hear that a pawn was promoted.
    Heard,
    /// Nobody hears it.
    Silent,
}

/// What stalemate is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stalemate {
    /// Half a point.
    Draw,
    /// A loss for the side that cannot move.
    Loss,
}

/// The draws that the umpire calls besides stalemate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Draws {
    /// Dead material only, so that games need not end.
    Material,
    /// Dead material, fifty moves and the third repetition.
    MaterialFiftyRepetition,
}

impl Rules {
    /// The six known rulesets.
    pub const KNOWN: [fn() -> Rules; 6] =
        [Rules::berkeley, Rules::berkeley_any, Rules::icc, Rules::cincinnati, Rules::rand, Rules::english];

    /// Berkeley rules, those of Russell and Wolfe (2005): little is said, all of it aloud.
    pub fn berkeley() -> Rules {
        Rules {
            name: Cow::Borrowed("berkeley"),
            refusals: Refusals::Heard,
            nonsense: NonsenseWord::Nonsense,
            capture: CaptureDetail::Square,
            en_passant: EnPassant::CapturedSquare,
            tries: TriesAnnounced::Never,
            promotion: PromotionAnnounced::Silent,
            stalemate: Stalemate::Draw,
            draws: Draws::Material,
        }
    }

    /// Berkeley rules with the question "any?".
    pub fn berkeley_any() -> Rules {
        Rules { name: Cow::Borrowed("berkeley-any"), tries: TriesAnnounced::AskBinding, ..Rules::berkeley() }
    }

    /// The Internet Chess Club's wild 16, also played at the Computer Olympiads.
    pub fn icc() -> Rules {
        Rules {
            name: Cow::Borrowed("icc"),
            refusals: Refusals::Silent,
            nonsense: NonsenseWord::Illegal,
            capture: CaptureDetail::Kind,
            tries: TriesAnnounced::Count,
            draws: Draws::MaterialFiftyRepetition,
            ..Rules::berkeley()
        }
    }

    /// Cincinnati rules.
    pub fn cincinnati() -> Rules {
        Rules {
            name: Cow::Borrowed("cincinnati"),
            capture: CaptureDetail::Kind,
            tries: TriesAnnounced::Any,
            draws: Draws::MaterialFiftyRepetition,
            ..Rules::berkeley()
        }
    }

    /// The rules of the RAND Corporation: stalemate loses, promotions are announced.
    pub fn rand() -> Rules {
        Rules {
            name: Cow::Borrowed("rand"),
            capture: CaptureDetail::Kind,
            tries: TriesAnnounced::From,
            promotion: PromotionAnnounced::Heard,
            stalemate: Stalemate::Loss,
            draws: Draws::MaterialFiftyRepetition,
            ..Rules::berkeley()
        }
    }

    /// English rules: "any?", and en passant captures are named.
    pub fn english() -> Rules {
        Rules {
            name: Cow::Borrowed("english"),
            nonsense: NonsenseWord::Illegal,
            en_passant: EnPassant::LandingSquare,
            tries: TriesAnnounced::AskOneTry,
            draws: Draws::MaterialFiftyRepetition,
            ..Rules::berkeley()
        }
    }

    /// The known ruleset of this name.
    pub fn by_name(name: &str) -> Result<Rules, RulesError> {
        Rules::KNOWN
            .iter()
            .map(|rules| rules())
            .find(|rules| rules.name == name)
            .ok_or_else(|| RulesError::Unknown(shortened(name)))
    }

    /// Reads a ruleset from the JSON form of this type. A known name must carry the known rules, so
    /// that a transcript's name always means the same.
    pub fn from_json(text: &str) -> Result<Rules, RulesError> {
        let rules: Rules =
            serde_json::from_str(text).map_err(|error| RulesError::Json(in_one_line(&error.to_string())))?;
        rules.checked()
    }

    /// Passes the rules on unless they contradict their own name.
    pub(crate) fn checked(self) -> Result<Rules, RulesError> {
        match Rules::by_name(&self.name) {
            _ if self.name.is_empty() => Err(RulesError::NoName),
            Ok(known) if known != self => Err(RulesError::NameTaken(self.name.into_owned())),
            _ => Ok(self),
        }
    }

    /// Whether a side may ask "any?".
    pub fn may_ask(&self) -> bool {
        matches!(self.tries, TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry)
    }

    /// Whether this is one of [`Rules::KNOWN`].
    pub fn is_known(&self) -> bool {
        Rules::by_name(&self.name).is_ok()
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::icc()
    }
}

/// Why a ruleset could not be had.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RulesError {
    /// No known ruleset has this name.
    #[error("unknown rules `{0}` (known: berkeley, berkeley-any, icc, cincinnati, rand, english)")]
    Unknown(String),
    /// The text is not the JSON of a ruleset.
    #[error("not a ruleset: {0}")]
    Json(String),
    /// A ruleset of one's own borrows the name of a known one.
    #[error("the name `{0}` belongs to other rules: choose another name")]
    NameTaken(String),
    /// A ruleset needs a name.
    #[error("a ruleset needs a name")]
    NoName,
}
