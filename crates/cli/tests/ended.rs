//! What is left of programs outside when the match itself is ended.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

/// How long the file is that a bot makes longer as long as it lives.
fn beats(folder: &Path) -> u64 {
    fs::metadata(folder.join("beats")).map_or(0, |file| file.len())
}

#[test]
fn programs_end_with_a_match_that_is_told_to_end() {
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        let folder = tempfile::tempdir().unwrap();
        // Behind a shell, deaf to signals that one can be deaf to, and it does not notice the end of its input.
        let bot = r#"trap '' TERM INT HUP
            read -r line; echo '{"type":"ready"}'
            for i in $(seq 10000); do echo beat >> beats; sleep 0.02; done"#;
        fs::write(folder.path().join("bot.sh"), bot).unwrap();
        let mut playing = Command::new(env!("CARGO_BIN_EXE_nebel"))
            .current_dir(folder.path())
            .args(["match", "exec:sh -c 'sh bot.sh; true'", "random", "--games", "1"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while beats(folder.path()) == 0 {
            assert!(playing.try_wait().unwrap().is_none(), "the match is over");
            thread::sleep(Duration::from_millis(20));
        }
        let kill = Command::new("kill").args([format!("-{signal}"), playing.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let status = playing.wait().unwrap();
        assert_eq!(status.signal(), Some(number), "{status}");
        let then = beats(folder.path());
        thread::sleep(Duration::from_millis(500));
        assert_eq!(beats(folder.path()), then, "the bot goes on after SIG{signal}");
    }
}
