//! What the experiments write: a page in Markdown with its drawings, and the phrases they share.

use nebel_arena::{score::Score, statistics::elo};

/// A page with its drawings.
#[derive(Clone, Debug)]
pub struct Page {
    /// The page in Markdown.
    pub markdown: String,
    /// Files beside it: name and text.
    pub files: Vec<(String, String)>,
}

/// A share in percent with its 95% interval (Wilson's, which does not collapse where all or none are of the kind).
pub(crate) fn percent(count: u32, of: u32) -> String {
    let (share, of) = (f64::from(count) / f64::from(of.max(1)), f64::from(of.max(1)));
    let factor = 1.96 * 1.96 / of;
    let middle = (share + factor / 2.0) / (1.0 + factor);
    let width = (factor * share * (1.0 - share) + factor * factor / 4.0).sqrt() / (1.0 + factor);
    let [low, high] = [middle - width, middle + width].map(|end| 100.0 * end.clamp(0.0, 1.0));
    format!("{:.0}% ({low:.0} to {high:.0})", 100.0 * share)
}

/// An Elo difference with its 95% interval.
pub(crate) fn elo_text(score: &Score) -> String {
    elo(score).map_or("–".to_owned(), |elo| elo.to_string())
}

/// Why games ended, the most frequent reason first.
pub(crate) fn reasons(score: &Score) -> String {
    let mut reasons: Vec<(&str, u32)> =
        score.reasons.iter().map(|(&reason, &count)| (reason, count)).collect();
    reasons.sort_by_key(|&(reason, count)| (std::cmp::Reverse(count), reason));
    let reasons: Vec<String> = reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    reasons.join(", ")
}
