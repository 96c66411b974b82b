//! What the experiments write: a page in Markdown with its drawings, and the phrases they share.

use nebel_arena::{rating::elo, score::Score};

/// A page with its drawings.
#[derive(Clone, Debug)]
pub struct Page {
    /// The page in Markdown.
    pub markdown: String,
    /// Files beside it: name and text.
    pub files: Vec<(String, String)>,
}

/// A share in percent with its 95% interval.
pub(crate) fn percent(count: u32, of: u32) -> String {
    let of = f64::from(of.max(1));
    let p = f64::from(count) / of;
    format!("{:.0} ± {:.0}%", 100.0 * p, 196.0 * (p * (1.0 - p) / of).sqrt())
}

/// An Elo difference with its 95% interval.
pub(crate) fn elo_text(score: &Score) -> String {
    elo(score).map_or("–".to_owned(), |elo| {
        format!("{:+.0} ({:+.0} to {:+.0})", elo.difference, elo.interval[0], elo.interval[1])
    })
}

/// Why games ended, the most frequent reason first.
pub(crate) fn reasons(score: &Score) -> String {
    let mut reasons: Vec<(&str, u32)> =
        score.reasons.iter().map(|(&reason, &count)| (reason, count)).collect();
    reasons.sort_by_key(|&(reason, count)| (std::cmp::Reverse(count), reason));
    let reasons: Vec<String> = reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    reasons.join(", ")
}
