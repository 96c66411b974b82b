//! `preset=paper` against values worked out by hand from the formulas of Ciancarini and Favini (2010, section 5.2).
//!
//! White has a king on a1, a rook on d1 and a knight on e2; Black a king on h8 and two pieces, on b8 and g3, where they are known to be. So every
//! probability is a fraction that can be written down: c1 = 3/7 for a piece on an open line, 2/7 a knight's move away.

use std::sync::Arc;

use nebel_belief::{OwnTries, matrices::Matrices};
use nebel_kriegspiel::{Attempt, Color, Directions, OwnMen, start};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    approach::Through,
    chance::Expected,
    expectation::{ChoiceBy, Expectation},
    heard::Heard,
    numbers::NUMBERS,
    options::Settings,
    outcome::MoveOutcome,
    search::{Search, Stop},
    state::{SearchParams, State},
    tree::Tree,
    worth::Worth,
};
use crate::Budget;

const FEN: &str = "1r5k/8/8/8/8/6r1/4N3/K2R4 w - - 0 1";

fn paper() -> Settings {
    Settings::parse("c", Some("preset=paper")).unwrap()
}

fn state(fen: &str, settings: &Settings) -> (State, SearchParams) {
    let position = start::position(fen).unwrap();
    let state = State {
        men: OwnMen::of(&position, Color::White),
        matrices: Matrices::of(&position, Color::Black),
        tries: OwnTries::None,
        check: Directions::NONE,
        contested: None,
        refused: Vec::new(),
        next_unseen: 30,
        premises: settings.premises,
    };
    let params = SearchParams {
        model: Arc::clone(&settings.model),
        worth: settings.worth,
        safety: settings.safety,
        silence_denies_tries: true,
    };
    (state, params)
}

fn outcome(fen: &str, attempt: &str) -> (MoveOutcome, f32, f32) {
    let (state, params) = state(fen, &paper());
    let exposure = state.exposure(&params);
    let outcome = state.outcome(attempt.parse().unwrap(), &exposure, &params);
    let value = exposure.stand + outcome.run(&mut Expected, &params, |_| 0.0);
    (outcome, exposure.stand, value)
}

fn near(found: f32, by_hand: f32) {
    assert!((found - by_hand).abs() < 1e-5, "{found}, by hand {by_hand}");
}

#[test]
fn the_preset_is_the_letter_of_the_paper() {
    let settings = paper();
    assert_eq!((settings.worth, settings.safety, settings.few), (Worth::Men, 0.0, 0));
    assert!(!settings.terms && !settings.tables && !settings.plans);
    let wanted = Expectation { conservation: 0.0, through: Through::Messages, choice: ChoiceBy::Visits };
    assert_eq!(format!("{:?}", settings.approach), format!("{wanted:?}"));
    // What is given goes before the preset.
    assert_eq!(Settings::parse("c", Some("preset=paper,worth=classic")).unwrap().worth, Worth::Classic);
    assert_eq!(Settings::parse("b", Some("preset=paper,k=7")).unwrap().few, 0);
    assert!(!Settings::parse("a", Some("preset=paper")).unwrap().terms);
}

#[test]
fn the_programs_preset_has_its_numbers_where_they_are_known() {
    let settings = Settings::parse("c", Some("preset=program")).unwrap();
    assert_eq!((settings.worth, settings.safety, settings.few, settings.c), (Worth::Count, 0.0, 0, 0.5));
    let wanted = Expectation { conservation: 0.5, through: Through::Silence, choice: ChoiceBy::Value };
    assert_eq!(format!("{:?}", settings.approach), format!("{wanted:?}"));
    near(Settings::parse("b", Some("preset=program,k=7")).unwrap().c, 1.0);
    assert_eq!(Settings::parse("a", Some("preset=program")).unwrap().worth, Worth::Count);
}

#[test]
fn a_quiet_move_is_worth_what_may_be_taken_out_of_silence() {
    let (outcome, stand, value) = outcome(FEN, "d1g1");
    // Two men against two.
    near(stand, 0.0);
    near(outcome.odds.legal, 1.0);
    // The piece on g3 looks at g1 with 3/7.
    near(outcome.odds.control, 3.0 / 7.0);
    // With a chance of 1/10 something is taken: the rook with 3/7 against 2/7 of the knight, a jump from g3. The knight takes back
    // for the rook, and is taken again with Prob_control; nobody takes back for the knight.
    let rook = -1.0 + NUMBERS.take_back * (1.0 - 3.0 / 7.0);
    let knight = -1.0;
    near(value, 0.1 * (3.0 / 7.0 * rook + 2.0 / 7.0 * knight) / (5.0 / 7.0));
}

#[test]
fn a_capture_is_taken_back_with_a_very_high_chance() {
    let (outcome, _, value) = outcome(FEN, "e2g3");
    near(outcome.odds.capture, 1.0);
    // A man is won, and nine times of ten the capturer is lost.
    near(value, 1.0 - 0.9);
}

#[test]
fn a_check_is_answered_by_taking_the_checker_with_a_constant_chance() {
    let (outcome, _, value) = outcome(FEN, "d1d8");
    near(outcome.odds.check, 1.0);
    // Taken with 3/10; else a man is lost out of silence with 1/10, rook or knight alike.
    near(value, -0.3 - 0.7 * 0.1);
}

#[test]
fn control_and_pins_are_subtracted() {
    // The king's target is controlled by the piece on b8: 1 − 3/7. A refusal changes nothing.
    let (king, _, value) = outcome(FEN, "a1b2");
    near(king.odds.legal, 4.0 / 7.0);
    near(value, -0.1 * 4.0 / 7.0);
    // The rook protects its king and leaves the line: 1 − Prob_control of the square that it leaves.
    let pinned = "7k/8/8/8/8/8/8/K2R3r w - - 0 1";
    near(outcome(pinned, "d1d4").0.odds.legal, 4.0 / 7.0);
    near(outcome(pinned, "d1c1").0.odds.legal, 1.0);
}

#[test]
fn all_messages_together_are_certain_and_have_the_expectation_of_the_move() {
    for spec in ["preset=paper", "safety=0"] {
        let (state, params) = state(FEN, &Settings::parse("c", Some(spec)).unwrap());
        let exposure = state.exposure(&params);
        for attempt in state.attempts() {
            let outcome = state.outcome(attempt, &exposure, &params);
            let likely = outcome.shares();
            near(likely.iter().sum(), 1.0);
            let changes = Heard::ALL.map(|heard| outcome.change(heard, &mut Expected, &params));
            let mean: f32 = likely.iter().zip(changes).map(|(share, change)| share * change).sum();
            near(mean, outcome.run(&mut Expected, &params, |_| 0.0));
            for heard in Heard::ALL {
                let next = state.after(attempt, heard, &exposure, &params);
                let is_lost =
                    matches!(heard, Heard::Retaken | Heard::TakenByPawn | Heard::CheckerTaken | Heard::Lost);
                let before = state.men.squares().count();
                let is_king = state.men.by_role(nebel_kriegspiel::Role::King).contains(attempt.from);
                if !is_king {
                    assert_eq!(
                        next.men.squares().count(),
                        before - usize::from(is_lost),
                        "{attempt} {heard:?}"
                    );
                }
                assert_eq!(next.refused == [attempt], heard == Heard::Refused);
                let (pawns, pieces) = next.matrices.left();
                let takes = matches!(heard, Heard::Kept | Heard::Retaken);
                near(pawns + pieces, if takes { 1.0 } else { 2.0 });
            }
        }
    }
}

/// The mean over messages is kept up as one after the other of them is looked into.
#[test]
fn a_branch_is_worth_the_mean_of_its_messages() {
    let (state, params) = state(FEN, &paper());
    let budget = Budget { nodes: Some(4000), ..Budget::unlimited() };
    let mut search = Search {
        approach: Expectation { conservation: 0.0, through: Through::Messages, choice: ChoiceBy::Visits },
        params: &params,
        c: 0.5,
        stop: Stop { until: &budget, nodes: 4000, iterations: u64::MAX },
        random: Xoshiro256PlusPlus::seed_from_u64(1),
        plans: None,
        tree: Tree::default(),
        nodes: 0,
        iterations: 0,
        continuation_bonus: 0.0,
    };
    let attempts: Vec<Attempt> = state.attempts();
    search.root(state.clone(), &attempts);
    search.run();
    let exposure = state.exposure(&params);
    let mut through = [0; 8];
    for (index, branch) in search.tree.of(Tree::ROOT).iter().enumerate() {
        let outcome = state.outcome(branch.attempt, &exposure, &params);
        let mut mean = 0.0;
        for (heard, share) in Heard::ALL.into_iter().zip(outcome.shares()) {
            let known = search.tree.known_after(index as u32, heard.into());
            through[heard as usize] += usize::from(known.is_some());
            mean += share
                * known.map_or_else(
                    || exposure.stand + outcome.change(heard, &mut Expected, &params),
                    |turn| search.tree.best_value(turn).unwrap_or(search.tree.turns[turn as usize].value),
                );
        }
        assert!((branch.value - mean).abs() < 1e-3, "{}: {} and {mean}", branch.attempt, branch.value);
    }
    let looked_into = |heard: Heard| through[heard as usize] > 0;
    assert!(looked_into(Heard::Refused) && looked_into(Heard::Kept) && looked_into(Heard::Retaken));
    assert!(looked_into(Heard::Check) && looked_into(Heard::Lost) && looked_into(Heard::Silence));
}
