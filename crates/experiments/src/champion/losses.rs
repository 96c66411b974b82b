//! By what a player loses men, read from a transcript: the method of counting that says where its points go.
//!
//! A loss is a man taken, less what was taken back on its square at once; it counts from one pawn. Its kind is what the man had done the
//! turn before: taken something and been retaken, gone there quietly, or stood there.

use nebel_kriegspiel::{Attempt, Color, Event, Input, Position as _, Square, Transcript};
use serde::{Deserialize, Serialize};

use super::worth;

/// One man lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Loss {
    pub(super) kind: Kind,
    pub(super) role: char,
    /// What it cost, net of what it had taken and of what was taken back, in pawns.
    pub(super) net: i32,
}

/// What the man had done before it was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// It had just taken something.
    Retaken,
    /// It had just gone there, and nothing was there.
    WalkedIn,
    /// It stood there.
    Stood,
}

impl Kind {
    pub(super) const ALL: [(Kind, &'static str); 3] = [
        (Kind::Retaken, "took something and was retaken"),
        (Kind::WalkedIn, "went there quietly"),
        (Kind::Stood, "stood there"),
    ];
}

/// The men that a side lost in a game for nothing or too little.
pub(super) fn losses(game: &Transcript, side: Color) -> Vec<Loss> {
    let mut position = game.header().start.clone();
    let mut losses = Vec::new();
    // The own move before with what it took, and a loss that may still be taken back.
    let mut own: Option<(Square, i32)> = None;
    let mut open: Option<(Square, Loss)> = None;
    for event in game.events() {
        let Event::Attempt { by, said: Some(Input::Attempt(attempt)), .. } = event else { continue };
        if event.announcement().is_none() {
            continue;
        }
        let Some(m) = position.legal_moves().into_iter().find(|&m| Attempt::of_move(m) == *attempt) else {
            break;
        };
        let taken = m.capture().map(|role| (role, if m.is_en_passant() { None } else { Some(m.to()) }));
        let gained = taken.map_or(0, |(role, _)| worth(role));
        if *by == side {
            if let Some((square, mut loss)) = open.take() {
                loss.net -= if m.to() == square { gained } else { 0 };
                losses.extend((loss.net > 0).then_some(loss));
            }
            own = Some((m.to(), gained));
        } else if let Some((role, square)) = taken {
            let moved = own.filter(|(to, _)| Some(*to) == square);
            let (kind, had_taken) = match moved {
                Some((_, 0)) => (Kind::WalkedIn, 0),
                Some((_, had_taken)) => (Kind::Retaken, had_taken),
                None => (Kind::Stood, 0),
            };
            let loss = Loss { kind, role: role.upper_char(), net: worth(role) - had_taken };
            open = Some((m.to(), loss));
        }
        position.play_unchecked(m);
    }
    losses.extend(open.map(|(_, loss)| loss).filter(|loss| loss.net > 0));
    losses
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Header, Rules, start};

    use super::*;

    fn of(fen: &str, attempts: &[&str]) -> Vec<Loss> {
        let mut game = Transcript::new(Header::at(Rules::icc(), start::position(fen).unwrap()));
        for attempt in attempts {
            game.hear(attempt).unwrap();
        }
        losses(&game, Color::White)
    }

    #[test]
    fn losses_are_net_and_know_their_kind() {
        let fen = "4k3/2p5/3p4/8/3Q4/8/4P3/R3K3 w Q - 0 1";
        let queen = |kind, net| Loss { kind, role: 'Q', net };
        assert_eq!(of(fen, &["d4d6", "c7d6", "e1f1", "e8e7"]), [queen(Kind::Retaken, 8)]);
        assert_eq!(of(fen, &["d4e5", "d6e5", "a1a5", "e5e4"]), [queen(Kind::WalkedIn, 9)]);
        assert_eq!(of(fen, &["e1f1", "e8e7", "d4e5", "d6e5", "a1a8"]), [queen(Kind::WalkedIn, 9)]);
        // What is taken back at once counts, and what costs nothing is no loss.
        let rook = "4k3/8/2p5/3r4/3R4/4P3/8/4K3 b - - 0 1";
        assert_eq!(of(rook, &["d5d4", "e3d4"]), []);
        assert_eq!(of(rook, &["d5d4", "e1e2"]), [Loss { kind: Kind::Stood, role: 'R', net: 5 }]);
    }
}
