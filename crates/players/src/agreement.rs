//! When a machine agrees to a draw that is offered to it.

use nebel_kriegspiel::{Color, Kind, OwnMen, Role, Transcript};

/// A captured piece of a kind that was not told, in pawns: the mean of two knights, two bishops, two rooks and a queen.
const PIECE: f32 = 31.0 / 7.0;
/// The machine agrees when it is not ahead by more than this, in pawns, after so many plies. By hand.
const AHEAD: f32 = 0.5;
const PLIES: usize = 40;

/// Whether the machine would rather have a draw: by its own men and by what it took, as far as that was told. What it says
/// depends on nothing that it does not know itself.
pub fn agrees_to_draw(transcript: &Transcript, machine: Color) -> bool {
    let umpire = transcript.umpire();
    let own = OwnMen::of(umpire.position(), machine);
    let start = OwnMen::of(&transcript.header().start, !machine);
    let moves = transcript.events().iter().filter(|event| event.announcement().is_some());
    let taken = moves.clone().filter(|event| event.by() == Some(machine)).filter_map(|event| {
        let capture = event.announcement()?.capture?;
        Some(if capture.kind == Some(Kind::Pawn) { 1.0 } else { PIECE })
    });
    let left = worth(&start) - taken.sum::<f32>();
    moves.count() >= PLIES && worth(&own) - left <= AHEAD
}

/// All men but the king, in pawns.
fn worth(men: &OwnMen) -> f32 {
    let of = |role| match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 0.0,
    };
    men.squares().into_iter().filter_map(|square| men.role_at(square)).map(of).sum()
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, Header, Rules, start};

    use super::*;

    /// A game in which both sides have moved their rooks to and fro so many times.
    fn idled(fen: &str, times: usize) -> Transcript {
        let start: Chess = start::position(fen).unwrap();
        let mut game = Transcript::new(Header::at(Rules::berkeley(), start));
        for turn in 0..times {
            let [white, black] = if turn % 2 == 0 { ["a1b1", "a8b8"] } else { ["b1a1", "b8a8"] };
            game.hear(white).unwrap();
            game.hear(black).unwrap();
        }
        game
    }

    #[test]
    fn a_machine_agrees_late_and_when_it_is_not_ahead() {
        let level = "r3k3/7p/8/8/8/8/7P/R3K3 w - - 0 1";
        assert!(!agrees_to_draw(&idled(level, 5), Color::White), "too early");
        assert!(agrees_to_draw(&idled(level, 20), Color::White));
        let ahead = "r3k3/8/8/8/8/8/6PP/R3K3 w - - 0 1";
        assert!(!agrees_to_draw(&idled(ahead, 20), Color::White));
        assert!(agrees_to_draw(&idled(ahead, 20), Color::Black));
    }
}
