//! `nebel results` reads a store and leaves it as it was.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs::{self, Permissions},
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::Path,
    process::{Command, Output},
};

fn nebel(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nebel"));
    command.args(args).current_dir(folder);
    command
}

fn complaint(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn an_empty_file_stays_empty() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.db");
    fs::write(&path, "").unwrap();
    let text = complaint(&nebel(folder.path(), &["results", "empty.db"]).output().unwrap());
    assert!(text.contains("empty.db: no store of results"), "{text}");
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);
    fs::write(&path, "a letter to a friend").unwrap();
    complaint(&nebel(folder.path(), &["results", "empty.db"]).output().unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), "a letter to a friend");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn a_store_that_cannot_be_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("a %store?.db");
    let args = ["match", "random", "random", "--games", "2", "--max-moves", "5", "--store", "a %store?.db"];
    assert!(nebel(folder.path(), &args).output().unwrap().status.success());
    let before = fs::read(&store).unwrap();
    let list = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let expected = list(&mut nebel(folder.path(), &["results", "a %store?.db"]));
    assert!(expected.contains("2 games"), "{expected}");
    assert_eq!(fs::read(&store).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");

    fs::set_permissions(&store, Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    // To root everything can be written, so somebody else looks, with a program that he may start wherever this one was built.
    let elsewhere = tempfile::tempdir().unwrap();
    let read = if fs::metadata(&store).unwrap().uid() == 0 {
        let program = elsewhere.path().join("nebel");
        fs::copy(env!("CARGO_BIN_EXE_nebel"), &program).unwrap();
        fs::set_permissions(elsewhere.path(), Permissions::from_mode(0o755)).unwrap();
        list(
            Command::new(program)
                .args(["results", "a %store?.db"])
                .current_dir(folder.path())
                .uid(65534)
                .gid(65534),
        )
    } else {
        list(&mut nebel(folder.path(), &["results", "a %store?.db"]))
    };
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    assert_eq!(read, expected);
    assert_eq!(fs::read(&store).unwrap(), before);
}
