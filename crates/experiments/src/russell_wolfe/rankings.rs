//! The page of Figure 4: our rankings beside the paper's, and the states that a refutation costs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use nebel_search::Algorithm::{self, Dfs, EPns, GlDbu, GlDfs, GxDfs, Ipns, LDbu, LDfs, LDub, LeDfs, Pns};
use nebel_search::Counters;

use super::Row;

/// The paper's ranking of mates, from the legend of Figure 4.
const MATES: [Algorithm; 11] = [Ipns, GlDbu, LDbu, LDub, LeDfs, EPns, GxDfs, Pns, GlDfs, LDfs, Dfs];

/// The paper's ranking of near-misses.
const MISSES: [Algorithm; 11] = [GlDbu, LDbu, LDub, Ipns, EPns, LeDfs, GxDfs, Pns, GlDfs, LDfs, Dfs];

/// The algorithms of section 6.4, with what the paper's model says of them. All take legal children first, so that
/// they differ in the order of dimensions alone.
const DIRECTIONAL: [(Algorithm, &str, &str); 4] = [
    (LDfs, "DFS", "u + (u / pB) mW"),
    (LeDfs, "UDB", "u + mW"),
    (LDub, "DUB", "1 + mW"),
    (LDbu, "DBU", "1 + mW"),
];

/// How to read the rankings.
const INTRODUCTION: &str = "\
The paper had 500 problems of 5 plies, 2000 s
each, in Lisp at 550 MHz. Ranked by problems decided, then by total time, in which what is not decided counts at the
limit. `auto` is ours and has no place in the paper's ranking. All rows are in [rw-fig4.csv](rw-fig4.csv).";

/// What the counts are not.
const CAVEAT: &str = "\
The model is of EXPAND-nodes two plies above the depth limit alone, leaves refusals out, has nodes without an end before the
limit, and lets all four algorithms visit the same ones; u and pB are measured where beliefs are searched whole (`l-dfs`), mW
where one state is (`l-dub`): its attempts in the last turns for each such node. The paper's u is about 60. What is
constructed holds nodes of every depth, refuted or proved.";

/// What the page is made of.
pub(super) struct Rankings<'a> {
    /// The rows of the mates.
    pub(super) mates: &'a [Row],
    /// The rows of the near-misses.
    pub(super) misses: &'a [Row],
    /// The limit in seconds.
    pub(super) time: f64,
    /// How many problems were searched at a time; `None` on a farm.
    pub(super) jobs: Option<usize>,
}

impl fmt::Display for Rankings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mates, misses) = (problems(self.mates).len(), problems(self.misses).len());
        writeln!(f, "# Russell and Wolfe (2005), Figure 4\n")?;
        let how = self.jobs.map_or("on a farm".to_owned(), |jobs| format!("{jobs} at a time"));
        writeln!(
            f,
            "{mates} mates and {misses} near-misses, at most {} s each, {how}. {INTRODUCTION}",
            self.time
        )?;
        ranking(f, "Mates", "mates.svg", &MATES, self.mates)?;
        ranking(f, "Near-misses", "near-misses.svg", &MISSES, self.misses)?;
        states(f, self.misses)
    }
}

/// One ranking beside the other.
fn ranking(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    drawing: &str,
    paper: &[Algorithm; 11],
    rows: &[Row],
) -> fmt::Result {
    let of = problems(rows).len();
    let mut results: Vec<(usize, f64, Algorithm)> = Algorithm::ALL.map(|it| result(it, rows)).to_vec();
    results.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
    writeln!(f, "\n## {title}\n\n![{title}]({drawing})\n")?;
    writeln!(f, "| the paper's place | our place | algorithm | decided | seconds |\n|---|---|---|---|---|")?;
    let mut ours: Vec<(usize, f64, usize)> = Vec::new();
    for (decided, seconds, algorithm) in results {
        match paper.iter().position(|&it| it == algorithm) {
            Some(place) => {
                ours.push((decided, seconds, place));
                let before = ours.iter().filter(|other| !tied(other, &(decided, seconds, place))).count();
                write!(f, "| {} | {} ", place + 1, before + 1)?;
            }
            None => write!(f, "| | ")?,
        }
        writeln!(f, "| `{algorithm}` | {decided} of {of} | {seconds:.3} |")?;
    }
    let pairs = ours.iter().enumerate().flat_map(|(index, first)| {
        ours[index + 1..].iter().filter(|second| !tied(first, second)).map(|second| (first.2, second.2))
    });
    let (same, swapped): (Vec<_>, Vec<_>) = pairs.partition(|(first, second)| first < second);
    if swapped.is_empty() {
        return writeln!(f, "\nThe order is the paper's.");
    }
    let names =
        swapped.iter().map(|&(first, second)| format!("`{}` before `{}`", paper[first], paper[second]));
    writeln!(
        f,
        "\n{} of {} pairs are in the paper's order. Not so: {}.",
        same.len(),
        same.len() + swapped.len(),
        names.collect::<Vec<_>>().join(", ")
    )
}

/// Whether two results are the same, as they are where nothing was decided: such pairs have no order.
fn tied(one: &(usize, f64, usize), other: &(usize, f64, usize)) -> bool {
    one.0 == other.0 && one.1.total_cmp(&other.1).is_eq()
}

/// The table of section 6.4, over the near-misses that all its algorithms refuted: only there can counts be compared.
fn states(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    let algorithms = DIRECTIONAL.map(|(algorithm, ..)| algorithm);
    let mut by_problem: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.decided() && algorithms.contains(&row.algorithm)) {
        by_problem.entry(row.problem).or_default().push(row);
    }
    by_problem.retain(|_, rows| rows.len() == algorithms.len());
    let counters = |algorithm| {
        let mut sum = Counters::default();
        let rows = by_problem.values().flatten().filter(|row| row.algorithm == algorithm);
        rows.for_each(|row| sum.add(&row.counters));
        sum
    };
    writeln!(f, "\n## States constructed for a refuted belief (section 6.4)\n")?;
    if by_problem.is_empty() {
        return writeln!(
            f,
            "No near-miss was refuted by all of DFS, UDB, DUB and DBU in time: nothing to compare."
        );
    }
    let whole = counters(LDfs).last;
    let (size, u) = (share(whole.states, whole.nodes), share(whole.replies, whole.nodes));
    let (heard, one) = (share(whole.percepts, whole.nodes), counters(LDub).last);
    let tries = share(one.tries, one.nodes);
    let models = [u + u / heard.max(1.0) * tries, u + tries, 1.0 + tries, 1.0 + tries];
    let least = counters(LDub).constructed;
    writeln!(f, "Near-misses that all four refuted, and that are counted here: {}.\n", by_problem.len())?;
    writeln!(
        f,
        "| | the paper's model | which is | algorithm | constructed | last nodes | constructed a last node | in their two plies | times DUB |"
    )?;
    writeln!(f, "|---|---|---|---|---|---|---|---|---|")?;
    for ((algorithm, name, model), value) in DIRECTIONAL.into_iter().zip(models) {
        let Counters { constructed, last, .. } = counters(algorithm);
        let (each, times) = (share(constructed, last.nodes), share(constructed, least));
        let two = share(last.replies + last.tries, last.nodes);
        writeln!(
            f,
            "| {name} | {model} | {value:.1} | `{algorithm}` | {constructed} | {} | {each:.1} | {two:.1} | {times:.1} |",
            last.nodes
        )?;
    }
    writeln!(
        f,
        "\nMeasured: u' = {size:.1} states in an EXPAND-node two plies above the limit, u = {u:.1} after all replies, pB = {heard:.2} percepts, mW = {tries:.1}. {CAVEAT}"
    )?;
    memory(f, rows, &by_problem.keys().copied().collect())
}

/// Section 6.4's worst cases of memory, beside the peaks on the same near-misses.
fn memory(f: &mut fmt::Formatter<'_>, rows: &[Row], problems: &BTreeSet<usize>) -> fmt::Result {
    writeln!(
        f,
        "\n## Memory (section 6.4)\n\nThe largest number of bytes held at once, a mean over those of the same near-misses that the algorithm refuted.\n"
    )?;
    writeln!(f, "| | the paper's worst case | algorithm | problems | peak, mean |\n|---|---|---|---|---|")?;
    for (algorithm, name, model) in MEMORY {
        let of = |row: &&Row| row.algorithm == algorithm && row.decided() && problems.contains(&row.problem);
        let peaks: Vec<u64> = rows.iter().filter(of).map(|row| row.counters.peak_memory as u64).collect();
        let mean = share(peaks.iter().sum(), peaks.len() as u64);
        writeln!(f, "| {name} | {model} | `{algorithm}` | {} | {:.1} KiB |", peaks.len(), mean / 1024.0)?;
    }
    Ok(())
}

/// What section 6.4 says of memory, for a root of u0 states and depth d.
const MEMORY: [(Algorithm, &str, &str); 6] = [
    (LDfs, "DFS", "u0 · Σ (mB / (pB · pW))^i · pB"),
    (LeDfs, "UDB", "the same"),
    (LDub, "DUB", "the same"),
    (LDbu, "DBU", "u0 · Σ mB^i"),
    (Pns, "PNS", "u0 · Σ (mB · mW)^i"),
    (Ipns, "IPNS", "the same"),
];

/// How many problems an algorithm decided, and what all of them took.
fn result(algorithm: Algorithm, rows: &[Row]) -> (usize, f64, Algorithm) {
    let rows = || rows.iter().filter(|row| row.algorithm == algorithm);
    (rows().filter(|row| row.decided()).count(), rows().map(Row::charged).sum(), algorithm)
}

fn problems(rows: &[Row]) -> BTreeSet<usize> {
    rows.iter().map(|row| row.problem).collect()
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}
