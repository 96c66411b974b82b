//! A game on the fast board against the umpire: the same attempts and questions, and every event, every attempt that makes sense, every end.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{borrow::Cow, collections::HashMap};

use nebel_kriegspiel::{
    Attempt, Color, Event, OwnMen, Reason, Role, Rules, Square, Umpire,
    attempt::PROMOTIONS,
    rules::{
        CaptureDetail, Draws, EnPassant, NonsenseWord, PromotionAnnounced, Refusals, Stalemate,
        TriesAnnounced,
    },
    start,
};
use nebel_position::{Game, Side};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Starts that between them hold every kind of move and bring every end: castling, promotions, en passant that is legal, pinned or answers a
/// check, dead material near, the fifty moves near and over, mate and stalemate at once.
const STARTS: [&str; 14] = [
    start::STANDARD,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/pppp4/8/PPPP4/4pppp/8/4PPPP/4K3 w - - 0 1",
    "8/PPPPk3/8/8/8/8/3Kpppp/8 b - - 3 17",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 95 80",
    "4k3/8/8/8/8/5q2/8/4K2R b K - 99 80",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 100 80",
    "8/8/4k3/8/8/2B5/8/4K2b w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
];

/// A ruleset of one's own.
fn random_rules(random: &mut Xoshiro256PlusPlus) -> Rules {
    use TriesAnnounced::{Any, AskBinding, AskOneTry, Count, From, Never};
    Rules {
        name: Cow::Borrowed("own"),
        refusals: *[Refusals::Heard, Refusals::Silent].choose(random).unwrap(),
        nonsense: *[NonsenseWord::Nonsense, NonsenseWord::Illegal].choose(random).unwrap(),
        capture: *[CaptureDetail::Square, CaptureDetail::Kind].choose(random).unwrap(),
        en_passant: *[EnPassant::CapturedSquare, EnPassant::LandingSquare].choose(random).unwrap(),
        tries: *[Never, AskBinding, AskOneTry, Count, Any, From].choose(random).unwrap(),
        promotion: *[PromotionAnnounced::Heard, PromotionAnnounced::Silent].choose(random).unwrap(),
        stalemate: *[Stalemate::Draw, Stalemate::Loss].choose(random).unwrap(),
        draws: *[Draws::Material, Draws::MaterialFiftyRepetition].choose(random).unwrap(),
    }
}

/// Any attempt, most of them nonsense.
fn any_attempt(random: &mut Xoshiro256PlusPlus) -> Attempt {
    let mut square = || Square::new(random.random_range(0..64));
    let (from, to) = (square(), square());
    let promotion = random.random_bool(0.2).then(|| *PROMOTIONS.choose(random).unwrap());
    Attempt { from, to, promotion }
}

fn sensible(game: &Game) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    game.for_each_sensible(|from, targets, promotion| {
        attempts.extend(targets.into_iter().map(|to| Attempt { from, to, promotion }));
    });
    attempts.sort_unstable();
    attempts
}

/// What both know of the moment.
fn compare(umpire: &Umpire, game: &Game, attempts: &[Attempt]) {
    let fen = start::fen(umpire.position());
    assert_eq!(game.fen(), fen);
    assert_eq!(game.over(), umpire.over(), "{fen}");
    assert_eq!(game.to_move(), umpire.to_move(), "{fen}");
    assert_eq!(attempts, sensible(game), "{fen}");
    let may_ask = umpire.over().is_none() && umpire.turn().may_ask(umpire.rules());
    assert_eq!(game.may_ask(), may_ask, "{fen}");
    let men = OwnMen::of(umpire.position(), umpire.to_move());
    for role in Role::ALL {
        assert_eq!(game.own().by_role(role), men.by_role(role), "{role:?} in {fen}");
    }
}

/// Plays one game with both, and counts what happened: words for events and ends.
fn play(rules: &Rules, fen: &str, random: &mut Xoshiro256PlusPlus, seen: &mut HashMap<&'static str, u32>) {
    let position = start::position(fen).unwrap();
    let mut game = Game::at(rules.clone(), &position);
    let mut umpire = Umpire::at(rules.clone(), position);
    for _ in 0..2_000 {
        let mut attempts = umpire.sensible_attempts();
        attempts.sort_unstable();
        compare(&umpire, &game, &attempts);
        let (theirs, ours) = match random.random_range(0..20) {
            0 => (umpire.ask(), game.ask()),
            1 => {
                let attempt = any_attempt(random);
                (umpire.attempt(attempt), game.attempt(attempt))
            }
            2 if !umpire.turn().refused().is_empty() => {
                let &attempt = umpire.turn().refused().choose(random).unwrap();
                (umpire.attempt(attempt), game.attempt(attempt))
            }
            _ => {
                // None makes sense after the end.
                let Some(&attempt) = attempts.choose(random) else { break };
                (umpire.attempt(attempt), game.attempt(attempt))
            }
        };
        assert_eq!(ours, theirs, "{}", game.fen());
        let Ok(event) = theirs else { break };
        *seen.entry(kind(&event)).or_default() += 1;
        if event.announcement().is_some_and(|told| told.capture.is_some_and(|capture| capture.en_passant)) {
            *seen.entry("en passant").or_default() += 1;
        }
    }
    assert_eq!(game.over(), umpire.over());
    *seen.entry(umpire.over().map_or("none", |over| over.reason.as_str())).or_default() += 1;
    if umpire.over().is_some() {
        assert_eq!((game.attempt(any_attempt(random)).is_err(), game.ask().is_err()), (true, true));
        assert!(sensible(&game).is_empty() && !game.may_ask());
    }
}

fn kind(event: &Event) -> &'static str {
    match event {
        Event::Attempt { answer, .. } => match answer {
            nebel_kriegspiel::Answer::Moved(_) => "moved",
            nebel_kriegspiel::Answer::Illegal => "illegal",
            nebel_kriegspiel::Answer::Nonsense => "nonsense",
        },
        Event::Ask { answer, .. } => match answer {
            nebel_kriegspiel::AskAnswer::Yes => "yes",
            nebel_kriegspiel::AskAnswer::No => "no",
            nebel_kriegspiel::AskAnswer::Nonsense => "no question",
        },
        Event::End { .. } => "end",
    }
}

#[test]
fn a_game_is_the_umpires_event_for_event_under_all_rules() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(19);
    for rules in Rules::KNOWN {
        let (rules, mut seen) = (rules(), HashMap::new());
        for number in 0..600 {
            // Half of the games from the ordinary start, the others from all starts in turn.
            let fen = if number % 2 == 0 { start::STANDARD } else { STARTS[number / 2 % STARTS.len()] };
            play(&rules, fen, &mut random, &mut seen);
        }
        let mut wanted = vec!["moved", "illegal", "nonsense", "no question"];
        wanted.extend([Reason::Checkmate, Reason::Stalemate, Reason::Material].map(Reason::as_str));
        if rules.draws == Draws::MaterialFiftyRepetition {
            wanted.extend([Reason::Fifty, Reason::Repetition].map(Reason::as_str));
        }
        if rules.may_ask() {
            wanted.extend(["yes", "no"]);
        }
        if rules.en_passant == EnPassant::LandingSquare {
            wanted.push("en passant");
        }
        for word in wanted {
            assert!(seen.contains_key(word), "{}: no {word} in {seen:?}", rules.name);
        }
    }
}

#[test]
fn a_game_is_the_umpires_under_rules_of_ones_own() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(20);
    let mut seen = HashMap::new();
    for number in 0..800 {
        let rules = random_rules(&mut random);
        play(&rules, STARTS[number % STARTS.len()], &mut random, &mut seen);
    }
    assert!(seen["moved"] > 50_000, "{seen:?}");
}

/// Knights that go out and come back: the third time the position is there, by the side that moved last, and not before.
#[test]
fn repetition_is_counted_as_the_umpire_counts_it() {
    let position = start::position(start::STANDARD).unwrap();
    let (mut game, mut umpire) = (Game::at(Rules::icc(), &position), Umpire::new(Rules::icc()));
    let mut plies = 0;
    while umpire.over().is_none() {
        let text = ["g1f3", "g8f6", "f3g1", "f6g8"][plies % 4];
        assert_eq!(game.attempt(text.parse().unwrap()), umpire.attempt(text.parse().unwrap()));
        plies += 1;
    }
    assert_eq!((plies, game.over().unwrap().reason), (8, Reason::Repetition));
    assert_eq!(game.to_move(), Color::White);
}
