//! The page on KRK: Ciancarini & Favini 2009 and what is exact.

use std::fmt::Write;

use nebel_tablebase::{AttemptEffect, Board, Depth, Mask, Placement, Table, Tables, Tie, bit, squares_of};

use super::{Survey, longest_line};
use crate::{Page, boards};

/// What the page is made of.
#[derive(Debug)]
pub(super) struct Report<'a> {
    /// The tables, KRK among them.
    pub(super) tables: &'a Tables,
    /// What each depth of KRK added.
    pub(super) depths: &'a [Depth],
    /// KRK solved by other readings of how refusals count, each with the head of its column.
    pub(super) readings: &'a [(&'a str, Table)],
    /// The endings to list.
    pub(super) surveys: &'a [Survey],
    /// Further sections, as Markdown.
    pub(super) more: String,
}

/// A board of the paper: its name there, White's men, and the paper's number.
const FILLED: [(&str, &str, u16); 4] = [
    ("figure 3 (b), Boyce's start", "Kb2 Ra1", 30),
    ("figure 3 (c), Magari's start", "Kd1 Re1", 34),
    ("fastest with every square filled", "Kc3 Ra1", 29),
    ("as fast, by the paper", "Kc2 Ra1", 29),
];

impl Report<'_> {
    /// Writes the page; `None` without a table of KRK.
    pub(super) fn page(&self) -> Option<Page> {
        let table = self.tables.get(&"KRK".parse().ok()?)?;
        let mut page = Page { markdown: String::new(), files: Vec::new() };
        page.line("# King and rook against a king that is not seen\n");
        page.line("Made by `nebel reproduce krk`. Numbers are White's moves in the worst case, White to move, announcements of `icc`.\n");
        self.compare(table, &mut page)?;
        self.figures(table, &mut page)?;
        self.depths(&mut page);
        self.lines(table, &mut page)?;
        self.endings(&mut page);
        page.markdown.push_str(&self.more);
        Some(page)
    }

    fn compare(&self, table: &Table, page: &mut Page) -> Option<()> {
        page.line("## Ours beside the paper's\n");
        let heads =
            self.readings.iter().fold(String::new(), |row, reading| row + &format!(" {} |", reading.0));
        page.line(&format!(
            "| | paper | exact |{heads}\n|---|---|---|{}",
            "---|".repeat(self.readings.len())
        ));
        let row = |name: &str, paper: &str, value: &dyn Fn(&Table) -> String| {
            let others = self
                .readings
                .iter()
                .fold(String::new(), |row, reading| row + &format!(" {} |", value(&reading.1)));
            format!("| {name} | {paper} | {} |{others}", value(table))
        };
        page.line(&row("entries", "1,087,599", &|table| table.len().to_string()));
        page.line(&row("longest forced mate", "41", &|table| table.longest().to_string()));
        for (name, men, paper) in FILLED {
            let placement = Placement::parse(Board::CHESS, men).ok()?;
            let set = placement.king_squares(Board::CHESS);
            let value =
                |table: &Table| table.mate_in(&placement, set).map_or("none".to_owned(), |n| n.to_string());
            page.line(&row(&format!("{name}: {men}"), &paper.to_string(), &value));
        }
        page.line(
            "\nWhy theirs are longer: the paper's Figure 2 by the letter gives 41; 30, 34, 29, 29 (`nebel reproduce krk --readings` writes `figure-2.md`), because it discards subsets of entries \
             that are one move longer while chains of refusals are still being closed. An attempt that is refused costs no move, so a set won in n may rest on another set won in n at the same \
             placement, that on a third, and so on; the exact column closes these chains before it looks at n + 1. The \
             columns to the right are other ways to count: chains that are cut, and chains that go on at the next depth. \
             The exact column agrees with a naive program on 3×3, 4×4 and 5×5 boards, every placement with every set, \
             and its strategies are replayed by a naive referee (`nebel tablebase verify`).\n",
        );
        Some(())
    }

    fn figures(&self, table: &Table, page: &mut Page) -> Option<()> {
        page.line("## The paper's figures\n");
        let filled = |placement: &Placement| placement.king_squares(Board::CHESS);
        // Figure 1 (a): the most squares a king can be on.
        let placements = table.index().placements();
        let widest = placements.iter().max_by_key(|placement| filled(placement).count_ones())?;
        page.figure("figure-1a", "1 (a): highest uncertainty", widest, filled(widest), table);
        // Figure 1 (b): fewer kings, and yet the same after the next move.
        let needless = needless_information(self.tables, widest)?;
        page.figure(
            "figure-1b",
            "1 (b), a placement chosen here: what is missing tells nothing, the next move makes it equal to (a)",
            widest,
            needless,
            table,
        );
        // Figure 1 (c): mate in one with more than one king.
        let in_one =
            (0..placements.len()).flat_map(|number| table.entries(number).map(move |entry| (number, entry)));
        let (number, entry) =
            in_one.filter(|(_, e)| e.depth == 1).max_by_key(|(_, e)| e.mask.count_ones())?;
        page.figure(
            "figure-1c",
            "1 (c), a placement chosen here: mate in one",
            &placements[number],
            entry.mask,
            table,
        );
        let (placement, set) = longest(table)?;
        page.figure("figure-3a", "3 (a): a longest forced mate (41 in the paper)", &placement, set, table);
        for (name, men) in [("figure-3b", "Kb2 Ra1"), ("figure-3c", "Kd1 Re1")] {
            let placement = Placement::parse(Board::CHESS, men).ok()?;
            let title = if name == "figure-3b" {
                "3 (b): Boyce's start (30 in the paper)"
            } else {
                "3 (c): Magari's start (34 in the paper)"
            };
            page.figure(name, title, &placement, filled(&placement), table);
        }
        Some(())
    }

    fn depths(&self, page: &mut Page) {
        page.line("## Depth by depth\n\n| moves | entries | passes | growth |\n|---|---|---|---|");
        let mut before = None;
        for depth in self.depths {
            let growth = before.map_or(String::new(), |before: usize| {
                format!("{:.2}", depth.entries as f64 / before.max(1) as f64)
            });
            page.line(&format!("| {} | {} | {} | {growth} |", depth.depth, depth.entries, depth.passes));
            before = Some(depth.entries);
        }
        page.line(
            "\nPasses are rounds of refusals in the placement that needed most; the paper reports 3 to 5.\n",
        );
    }

    fn lines(&self, table: &Table, page: &mut Page) -> Option<()> {
        page.line("## Longest lines, played out\n\nEvery answer is the one that leaves White most to do. \"g4f4 of 18: silent\": the attempt, in how many squares the king may be before it, the answer.\n");
        let start = |men: &str| {
            let placement = Placement::parse(Board::CHESS, men).ok()?;
            let set = placement.king_squares(Board::CHESS);
            Some((placement, set))
        };
        for (placement, set) in [longest(table)?, start("Kb2 Ra1")?, start("Kd1 Re1")?] {
            let steps = longest_line(self.tables, &placement, set, Tie::FewestSquares);
            let text: Vec<String> =
                steps.iter().map(|s| format!("{} of {}: {}", s.attempt, s.squares, s.answer)).collect();
            let moves = steps.first().map_or(0, |step| step.mate_in);
            page.line(&format!("**{placement}, mate in {moves}:** {}.\n", text.join("; ")));
        }
        Some(())
    }

    fn endings(&self, page: &mut Page) {
        page.line("## Other endings\n\n\"Filled\" is with the king anywhere he may be; placements are counted up to symmetry.\n");
        page.line("| ending | entries | longest mate | placements won filled | longest filled | shortest filled |\n|---|---|---|---|---|---|");
        for s in self.surveys {
            let share = 100.0 * s.won_filled as f64 / s.placements.max(1) as f64;
            let shortest =
                s.shortest_filled.as_ref().map_or("none".to_owned(), |(n, men)| format!("{n} ({men})"));
            page.line(&format!(
                "| {} | {} | {} | {} of {} ({share:.1}%) | {} | {shortest} |",
                s.ending, s.entries, s.longest, s.won_filled, s.placements, s.longest_filled
            ));
        }
        page.line("");
    }
}

impl Page {
    fn line(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.markdown, "{text}");
    }

    fn figure(&mut self, file: &str, title: &str, placement: &Placement, set: Mask, table: &Table) {
        let value =
            table.mate_in(placement, set).map_or("no forced mate".to_owned(), |n| format!("mate in {n}"));
        let caption = format!("Figure {title}: {placement}, {} squares, {value}", set.count_ones());
        self.files.push((format!("{file}.svg"), boards::kings(placement, set, &caption)));
        self.line(&format!("![{caption}]({file}.svg)\n\n{caption}.\n"));
    }
}

/// A set of the longest mate: with the king on b1 and the rook on g4 as in the paper, if there is one.
fn longest(table: &Table) -> Option<(Placement, Mask)> {
    let like_the_paper = Placement::parse(Board::CHESS, "Kb1 Rg4").ok()?;
    let (number, symmetry) = table.index().find(&like_the_paper)?;
    let back = symmetry.inverse();
    if let Some(entry) = table.entries(number).find(|entry| entry.depth == table.longest()) {
        return Some((like_the_paper, back.apply(Board::CHESS, entry.mask)));
    }
    let placements = table.index().placements();
    (0..placements.len()).find_map(|number| {
        let entry = table.entries(number).find(|entry| entry.depth == table.longest())?;
        Some((placements[number].clone(), entry.mask))
    })
}

/// A small part of the filled board from which the next move leads to the same squares.
fn needless_information(tables: &Tables, placement: &Placement) -> Option<Mask> {
    let all = placement.king_squares(Board::CHESS);
    let effects = AttemptEffect::all(Board::CHESS, placement);
    let advice = tables.advise(placement, all, Tie::FewestSquares).map(|advice| advice.attempt);
    let effect = effects.iter().find(|effect| advice.is_none_or(|attempt| attempt == effect.attempt))?;
    let leads_to = |set: Mask| -> Vec<Mask> {
        effect.classes.iter().map(|class| effect.successors(Board::CHESS, set & class.1)).collect()
    };
    let mut set = all;
    for square in squares_of(all & !effect.refused) {
        if leads_to(set & !bit(square)) == leads_to(all) {
            set &= !bit(square);
        }
    }
    Some(set)
}
