//! The crate against two chess libraries: every question, in every position of random games and of known hard cases.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;

use cozy_chess::Piece;
use nebel_kriegspiel::{Attempt, Chess, Color, Event, OwnMen, Role, Rules, Square, Umpire, start};
use nebel_position::{
    Demand, Key, Men, PackedAnnouncement, Position, Sides,
    announced::{End, HeardAnnouncement},
    is_dead, sensible,
};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::Position as _;

/// Positions that between them hold every kind of move.
const POSITIONS: [&str; 9] = [
    start::STANDARD,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "6k1/8/8/8/8/8/1p4PP/R5K1 b - - 0 1",
    "8/8/4k3/8/8/2B5/8/4K2b w - - 0 1",
];

/// The other library's position.
fn cozy(chess: &Chess) -> cozy_chess::Board {
    start::fen(chess).parse().unwrap()
}

/// The other library's legal moves as attempts: castling is the king's move onto his rook there.
fn cozy_attempts(board: &cozy_chess::Board) -> Vec<Attempt> {
    let square = |square: cozy_chess::Square| Square::new(square as u32);
    let mut attempts = Vec::new();
    board.generate_moves(|moves| {
        for m in moves {
            let (from, mut to) = (square(m.from), square(m.to));
            if moves.piece == Piece::King && board.colors(board.side_to_move()).has(m.to) {
                let file = if to > from { nebel_kriegspiel::File::G } else { nebel_kriegspiel::File::C };
                to = Square::from_coords(file, from.rank());
            }
            let promotion = m.promotion.map(|piece| match piece {
                Piece::Knight => Role::Knight,
                Piece::Bishop => Role::Bishop,
                Piece::Rook => Role::Rook,
                _ => Role::Queen,
            });
            attempts.push(Attempt { from, to, promotion });
        }
        false
    });
    attempts.sort_unstable();
    attempts
}

/// The pawn captures among the other library's moves: how many (from, to), and from where.
fn cozy_tries(board: &cozy_chess::Board) -> Vec<(Square, Square)> {
    let pawns = board.pieces(Piece::Pawn);
    let mut tries: Vec<(Square, Square)> = cozy_attempts(board)
        .into_iter()
        .filter(|attempt| pawns.has(cozy_chess::Square::index(attempt.from.to_usize())))
        .filter(|attempt| attempt.from.file() != attempt.to.file())
        .map(|attempt| (attempt.from, attempt.to))
        .collect();
    tries.dedup();
    tries
}

fn attempts_of(position: &Position, color: Color) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    let _ = position.legal(color).for_each_move(|m| {
        attempts.push(Attempt { from: m.from, to: m.to, promotion: m.promotion });
        ControlFlow::Continue(())
    });
    attempts.sort_unstable();
    attempts
}

/// All questions about one position.
fn compare(chess: &Chess) {
    let fen = start::fen(chess);
    let (color, other) = (chess.turn(), !chess.turn());
    let position = Position::of(chess);
    let board = cozy(chess);
    let theirs = cozy_attempts(&board);
    assert_eq!(attempts_of(&position, color), theirs, "{fen}");
    let (mover, waiting) = (Men::of(chess, color), Men::of(chess, other));
    assert_eq!(Key::pack(&mover).unpack(), mover, "{fen}");
    let by_men = Sides { color, mover: &mover, other: &waiting }.legal();
    let by_halves = position.legal(color);
    let mut targets = Vec::new();
    by_men.for_each_man(|role, from, squares| {
        assert_eq!(squares, by_halves.targets(role, from), "{role:?} {from} in {fen}");
        targets.extend(squares.into_iter().map(|to| (from, to)));
        let own = OwnMen::of(chess, color);
        for to in Square::ALL {
            let promotion = (role == Role::Pawn && to.rank() == other.backrank()).then_some(Role::Queen);
            let attempt = Attempt { from, to, promotion };
            let makes_sense = sensible::targets(color, &mover, role, from).contains(to);
            assert_eq!(makes_sense, own.could_make(attempt), "{attempt} in {fen}");
            let made = position.make_if_legal(color, from, to, promotion);
            assert_eq!(made.is_some(), theirs.contains(&attempt), "{attempt} in {fen}");
            let wrong = if promotion.is_some() { None } else { Some(Role::Knight) };
            assert!(position.make_if_legal(color, from, to, wrong).is_none(), "{attempt} in {fen}");
        }
    });
    targets.sort_unstable();
    let mut squares: Vec<(Square, Square)> =
        theirs.iter().map(|attempt| (attempt.from, attempt.to)).collect();
    squares.dedup();
    assert_eq!(targets, squares, "{fen}");
    assert_eq!(by_men.count_moves(), theirs.len(), "{fen}");
    for has_move in [by_men.has_move(), by_halves.has_move()] {
        assert_eq!(
            has_move,
            board.status() == cozy_chess::GameStatus::Ongoing || !theirs.is_empty(),
            "{fen}"
        );
    }
    let tries = cozy_tries(&board);
    assert_eq!(usize::from(by_men.pawn_captures().count), tries.len(), "{fen}");
    assert!(tries.iter().all(|(from, _)| by_men.pawn_captures().from.contains(*from)), "{fen}");
    assert_eq!(by_men.pawn_captures(), by_halves.pawn_captures(), "{fen}");
    assert_eq!(by_men.checkers().count(), board.checkers().len() as usize, "{fen}");
    assert_eq!(is_dead(&mover, &waiting), chess.is_insufficient_material(), "{fen}");
    let mates = |m: &shakmaty::Move| {
        let mut next = chess.clone();
        next.play_unchecked(*m);
        next.is_checkmate()
    };
    assert_eq!(position.has_mate(color), chess.legal_moves().iter().any(mates), "{fen}");
    let stalemates = |m: &shakmaty::Move| {
        let mut next = chess.clone();
        next.play_unchecked(*m);
        next.is_stalemate()
    };
    assert_eq!(position.has_stalemate(color), chess.legal_moves().iter().any(stalemates), "{fen}");
    let back = position.to_chess(color).unwrap();
    assert_eq!(start::fen_without_counters(&back), start::fen_without_counters(chess));
}

/// A move, and what the umpire says of it under all rules.
fn compare_move(chess: &Chess, m: shakmaty::Move) {
    let (color, attempt) = (chess.turn(), Attempt::of_move(m));
    let mut next = chess.clone();
    next.play_unchecked(m);
    let made = Position::of(chess).make_if_legal(color, attempt.from, attempt.to, attempt.promotion).unwrap();
    assert_eq!(made.next, Position::of(&next), "{attempt} in {}", start::fen(chess));
    let mut played = cozy(chess);
    let uci = cozy_chess::util::parse_uci_move(&played, &attempt.to_string()).unwrap();
    played.play(uci);
    assert_eq!(cozy_attempts(&played), attempts_of(&made.next, !color));
    for rules in Rules::KNOWN.map(|rules| rules()) {
        let mut umpire = Umpire::at(rules.clone(), chess.clone());
        let Ok(Event::Attempt { answer: nebel_kriegspiel::Answer::Moved(said), .. }) =
            umpire.attempt(attempt)
        else {
            continue;
        };
        let after = made.next.legal(!color);
        let promotes = attempt.promotion.is_some();
        let packed = PackedAnnouncement::of_move(&rules, made.captured, promotes, &after, End::of(&after));
        let ours = packed.announcement(&rules, color);
        // What depends on the history is the umpire's alone.
        let by_history = said.over.is_some() && ours.over.is_none();
        if !by_history {
            assert_eq!(ours, said, "{attempt} in {} under {}", start::fen(chess), rules.name);
        }
        let heard = HeardAnnouncement::new(&said);
        assert!(heard.fits_capture(&rules, made.captured) && heard.fits_promotion(&rules, promotes));
        assert!(heard.fits(&rules, &after), "{attempt} in {} under {}", start::fen(chess), rules.name);
        let mut louder = said;
        louder.check = [nebel_kriegspiel::Direction::Knight, nebel_kriegspiel::Direction::Rank]
            .into_iter()
            .filter(|&direction| !said.check.contains(direction))
            .collect();
        assert_eq!(HeardAnnouncement::new(&louder).fits(&rules, &after), louder.check == said.check);
    }
}

#[test]
fn every_answer_is_that_of_two_chess_libraries() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut positions, mut moves) = (0, 0);
    for fen in POSITIONS {
        for _ in 0..12 {
            let mut chess = start::position(fen).unwrap();
            for _ in 0..80 {
                compare(&chess);
                positions += 1;
                let legal = chess.legal_moves();
                for &m in legal.iter().step_by(3) {
                    compare_move(&chess, m);
                    moves += 1;
                }
                let Some(&m) = legal.as_slice().choose(&mut random) else { break };
                chess.play_unchecked(m);
                if chess.is_insufficient_material() || chess.halfmoves() > 90 {
                    break;
                }
            }
        }
    }
    assert!(positions > 4_000 && moves > 20_000, "{positions} positions, {moves} moves");
}

/// A mover who could take the other king does not: no king ever leaves the board.
#[test]
fn no_move_captures_a_king() {
    let men = |fen, color| Men::of(&start::position(fen).unwrap(), color);
    let mover = men("k7/8/8/8/4R3/8/8/4K3 w - - 0 1", Color::White);
    let other = men("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Color::Black);
    let legal = Sides { color: Color::White, mover: &mover, other: &other }.legal();
    assert!(!legal.targets(Role::Rook, Square::E4).contains(Square::E8));
    assert!(legal.targets(Role::Rook, Square::E4).contains(Square::E7));
    let demand = Demand::new(&mover, Role::Rook, Square::E4, Square::E8).unwrap();
    assert_eq!(demand.met_by(&other, Color::Black, Square::E8, legal.occupied()), None);
}
