//! Boards as SVG: White's men, and a black king on every square where he may be.

use std::fmt::Write;

use nebel_tablebase::{Mask, Placement, bit};
use shakmaty::{Role, Square};

const SQUARE: u32 = 36;
const MARGIN: u32 = 16;

/// Draws White's men and the set of kings, with a caption for readers who cannot see it.
pub fn kings(placement: &Placement, set: Mask, caption: &str) -> String {
    let side = 8 * SQUARE + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{side}\" height=\"{side}\" \
         role=\"img\" font-family=\"DejaVu Sans, sans-serif\" text-anchor=\"middle\">\n<title>{caption}</title>\n\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/>\n"
    );
    let mut put = |line: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "{line}");
    };
    for rank in 0..8 {
        for file in 0..8 {
            let square = Square::new(rank * 8 + file);
            let (x, y) = (MARGIN + file * SQUARE, MARGIN + (7 - rank) * SQUARE);
            let fill = if (rank + file) % 2 == 0 { "#c8c8c8" } else { "#f4f4f4" };
            put(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>"
            ));
            let man = placement.all().find(|man| man.1 == square).map(|man| glyph(man.0));
            let king = (set & bit(square) != 0).then_some('♚');
            if let Some(glyph) = man.or(king) {
                let (x, y) = (x + SQUARE / 2, y + SQUARE * 3 / 4);
                put(format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"26\">{glyph}</text>"));
            }
        }
    }
    for line in 0..8u8 {
        let along = MARGIN + u32::from(line) * SQUARE + SQUARE / 2;
        let (file, rank) = ((b'a' + line) as char, 8 - line);
        put(format_args!("<text x=\"{along}\" y=\"{}\" font-size=\"11\">{file}</text>", side - 4));
        put(format_args!("<text x=\"8\" y=\"{}\" font-size=\"11\">{rank}</text>", along + 4));
    }
    svg.push_str("</svg>\n");
    svg
}

fn glyph(role: Role) -> char {
    match role {
        Role::King => '♔',
        Role::Queen => '♕',
        Role::Rook => '♖',
        Role::Bishop => '♗',
        Role::Knight => '♘',
        Role::Pawn => '♙',
    }
}

#[cfg(test)]
mod tests {
    use nebel_tablebase::Board;

    use super::*;

    #[test]
    fn every_possible_king_is_drawn() {
        let placement = Placement::parse(Board::CHESS, "Kb2 Ra1").unwrap();
        let set = placement.king_squares(Board::CHESS);
        let svg = kings(&placement, set, "filled");
        assert_eq!(svg.matches('♚').count(), set.count_ones() as usize);
        assert_eq!((svg.matches('♔').count(), svg.matches('♖').count()), (1, 1));
    }
}
