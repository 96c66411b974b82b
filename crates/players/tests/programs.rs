//! Programs outside: what reaches them before they are ended, and what is left of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use nebel_kriegspiel::{Chess, Color, Event, Over, Reason, Rules};
use nebel_players::{Exec, Fault, Game, Player};

/// A bot that writes down what it is told, and does something when it is told to quit.
fn bot(folder: &Path, at_quit: &str) -> String {
    let script = folder.join("bot.sh");
    let text = format!(
        r#"while read -r line; do
            printf '%s\n' "$line" >> '{log}'
            case $line in
                *'"type":"new"'*) echo '{{"type":"ready"}}' ;;
                *'"type":"quit"'*) {at_quit} ;;
            esac
        done"#,
        log = folder.join("log").display()
    );
    fs::write(&script, text).unwrap();
    format!("sh '{}'", script.display())
}

fn game() -> Game {
    Game { side: Color::White, rules: Rules::icc(), start: Chess::new(), seed: 7 }
}

/// Begins a game with a program and ends it by the limit on length.
fn play_once(player: &mut Exec) {
    player.start(game()).unwrap();
    let end = Event::End { by: None, over: Over::draw(Reason::Length) };
    player.hear(&end.heard_by(Color::White, &Rules::icc()).unwrap()).unwrap();
}

#[test]
fn the_last_over_and_quit_reach_a_program_that_then_takes_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let command = bot(folder.path(), &format!("sleep 0.3; echo left >> '{}'; exit", log.display()));
    for _ in 0..5 {
        let _ = fs::remove_file(&log);
        let mut player = Exec::new(&command);
        play_once(&mut player);
        drop(player);
        let log = fs::read_to_string(&log).unwrap();
        let end: Vec<&str> = log.lines().rev().take(3).collect();
        assert_eq!(
            end,
            ["left", r#"{"type":"quit"}"#, r#"{"reason":"length","result":"1/2-1/2","type":"over"}"#],
            "{log}"
        );
    }
}

#[test]
fn programs_that_leave_when_told_are_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let ends = ["exit", "break"];
    let begun = Instant::now();
    for at_quit in ends.iter().cycle().take(20) {
        play_once(&mut Exec::new(&bot(folder.path(), at_quit)));
    }
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?} for twenty programs", begun.elapsed());
}

/// A program that hides behind a shell, has its own child, hears no signal that can be ignored, and does not leave for
/// minutes; as long as it lives it makes a file longer.
fn stubborn(folder: &Path) -> String {
    let beats = folder.join("beats").display().to_string();
    let script = folder.join("stubborn.sh");
    let text = format!(
        r#"trap '' TERM INT HUP
        beat() {{ for i in $(seq 10000); do echo beat >> '{beats}'; sleep 0.02; done; }}
        beat & read -r line; echo '{{"type":"ready"}}'; beat"#
    );
    fs::write(&script, text).unwrap();
    format!("sh -c \"sh '{}'; true\"", script.display())
}

/// Whether anything still makes the file longer.
fn is_alive(folder: &Path) -> bool {
    let length = || fs::metadata(folder.join("beats")).map_or(0, |file| file.len());
    let before = length();
    thread::sleep(Duration::from_millis(500));
    length() > before
}

#[test]
fn nothing_is_left_of_a_program_behind_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Exec::new(&stubborn(folder.path()));
    player.start(game()).unwrap();
    assert!(is_alive(folder.path()));
    drop(player);
    assert!(!is_alive(folder.path()));
}

#[test]
fn nothing_is_left_of_a_program_that_failed_when_the_next_game_begins() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Exec::new(&stubborn(folder.path()));
    player.start(game()).unwrap();
    let budget = nebel_players::Budget {
        limit: Some(Instant::now() + Duration::from_millis(200)),
        ..nebel_players::Budget::unlimited()
    };
    assert_eq!(player.choose(&budget), Err(Fault::Silent));
    let end = Event::End { by: Some(Color::White), over: Over::lost_by(Color::White, Reason::Forfeit) };
    player.hear(&end.heard_by(Color::White, &Rules::icc()).unwrap()).unwrap();
    assert!(!is_alive(folder.path()), "a program that failed was not ended with its game");
    player.start(game()).unwrap();
    assert!(is_alive(folder.path()), "it was not started anew");
    drop(player);
    assert!(!is_alive(folder.path()));
}
