//! `nebel tablebase` as other programs use it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// Runs `nebel tablebase` with its tables in `home`; gives the exit code, standard output and standard error.
fn tablebase(home: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_nebel"))
        .arg("tablebase")
        .args(args)
        .env("XDG_DATA_HOME", home)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn probing_builds_once_and_answers_in_json() {
    let home = tempfile::tempdir().unwrap();
    let probe = |king: &str| tablebase(home.path(), &["probe", "Kc3 Ra1", "--king", king, "--json"]);
    let (code, output, error) = probe("all");
    assert_eq!(code, 0, "{error}");
    assert!(error.contains("building the table of KRK"), "{error}");
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(answer["mate_in"], 25);
    assert!(home.path().join("nebel/tablebases/KRK.nbt").is_file());

    let (code, output, error) = probe("e5,e6,d3,a1");
    assert_eq!(
        (code, error.as_str()),
        (0, "nebel: dropped a1,d3: occupied or attacked, with White to move\n")
    );
    assert!(serde_json::from_str::<Value>(&output).unwrap()["mate_in"].is_u64());

    let (_, output, _) = tablebase(home.path(), &["probe", "Kg1 Ra6", "--king", "all", "--json"]);
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert!(answer["mate_in"].is_null() && answer["attempt"].is_null(), "{output}");

    let (code, output, _) = tablebase(home.path(), &["info"]);
    assert!(code == 0 && output.contains("KRK: 507285 entries"), "{output}");
    let (code, output, _) = tablebase(home.path(), &["verify", "KRK", "--sets", "300"]);
    assert!(code == 0 && output.starts_with("KRK: right."), "{output}");

    // A damaged file is refused, not answered from.
    let path = home.path().join("nebel/tablebases/KRK.nbt");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    for args in [&["info"][..], &["verify"], &["probe", "Kc3 Ra1", "--king", "all"]] {
        let (code, _, error) = tablebase(home.path(), args);
        assert!(code == 2 && error.contains("is damaged") && error.lines().count() == 1, "{args:?} {error}");
    }
}

#[test]
fn bad_input_gets_one_clear_line() {
    let home = tempfile::tempdir().unwrap();
    for (args, words) in [
        (&["probe", "Kc3 Rc3", "--king", "all"][..], "two men stand on c3"),
        (&["probe", "Rc3", "--king", "all"], "one white king"),
        (&["probe", "Kc3 Pa8", "--king", "all"], "a pawn cannot stand on a8"),
        (&["probe", "Kc3 Ra1", "--king", "d3"], "cannot be on any"),
        (&["probe", "Kc3 Ra1", "--king", ""], "no square"),
        (&["probe", "Kc3 Ra1", "--king", "e5,x"], "`x` is no square"),
        (&["probe", "Kc3 Ra1"], "--king"),
        (&["probe", "Kc3 Ra1", "--king", "all", "--dir", "/no/such/folder"], "there is no directory"),
        (&["build", "KXK"], "is no ending"),
        (&["build", "KQRBK"], "too many men"),
        (&["build", "KRK", "--threads", "0"], "at least 1"),
        (&["info", "KRK"], "there is no table of KRK"),
        (&["info"], "there are no tables"),
        (&["verify", "KQK"], "there is no table of KQK"),
    ] {
        let (code, output, error) = tablebase(home.path(), args);
        assert_eq!((code, output.as_str()), (2, ""), "{args:?}");
        assert!(error.contains(words) && error.lines().count() == 1, "{args:?}: {error}");
    }
}

#[test]
fn a_build_reports_what_it_did() {
    let home = tempfile::tempdir().unwrap();
    let (code, output, error) = tablebase(home.path(), &["build", "KRK", "--json", "--threads", "1"]);
    assert_eq!(code, 0, "{error}");
    let built: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&built["entries"], &built["longest"]), (&507_285.into(), &37.into()));
    assert_eq!(built["depths"].as_array().unwrap().len(), 37);
    let (code, output, _) = tablebase(home.path(), &["build", "KRK", "--merge"]);
    assert!(code == 0 && output.contains("KRK.merged.nbt"), "{output}");
    std::fs::remove_file(home.path().join("nebel/tablebases/KRK.nbt")).unwrap();
    let (_, output, _) = tablebase(home.path(), &["probe", "Kc3 Ra1", "--king", "all", "--json"]);
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert!(answer["mate_in"].as_u64().unwrap() >= 25 && answer["exact"] == false, "{output}");
    assert_eq!(answer["not_within"], 0, "{output}");
}

#[test]
fn a_search_without_time_claims_nothing() {
    let home = tempfile::tempdir().unwrap();
    let probe = |args: &[&str]| {
        let men = ["probe", "Ke3 Rd2 Bb8 Pa2", "--king", "all", "--time", "0"];
        tablebase(home.path(), &[&men[..], args].concat())
    };
    let (code, output, error) = probe(&["--json"]);
    assert_eq!(code, 0, "{error}");
    let answer: Value = serde_json::from_str(&output).unwrap();
    // The first sets are examined before anybody looks at the clock.
    let expected = serde_json::json!({
        "mate_in": null, "attempt": null, "exact": false, "not_within": answer["not_within"], "stopped": "time",
    });
    assert!(answer == expected && answer["not_within"].as_u64().unwrap() < 10, "{answer}");
    let (_, output, _) = probe(&[]);
    assert!(output.starts_with("No forced mate was found in the time given"), "{output}");
}

/// A file that cannot be written is no fault of the input, and half of it is of no use.
#[test]
fn a_build_that_cannot_be_kept_fails_at_run_time_and_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("nebel/tablebases");
    let left = || -> Vec<String> {
        let entries = std::fs::read_dir(&folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    // A folder stands where the file should.
    std::fs::create_dir_all(folder.join("KRK.nbt/in the way")).unwrap();
    let (code, output, error) = tablebase(home.path(), &["build", "KRK"]);
    assert_eq!((code, output.as_str(), error.lines().count()), (1, "", 1), "{error}");
    assert!(error.contains("KRK.nbt"), "{error}");
    assert_eq!(left(), ["KRK.nbt"]);
    std::fs::remove_dir_all(folder.join("KRK.nbt")).unwrap();
    // A file stands where the folder should.
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let inside = file.join("tables");
    let (code, _, error) = tablebase(home.path(), &["build", "KRK", "--dir", inside.to_str().unwrap()]);
    assert_eq!((code, error.lines().count()), (1, 1), "{error}");
    // The disk is full after some kilobytes; a probe says so and answers all the same.
    let full = |args: &str| {
        let program = env!("CARGO_BIN_EXE_nebel");
        let script = format!("trap '' XFSZ; ulimit -f 64; exec {program} tablebase {args}");
        Command::new("sh").args(["-c", &script]).env("XDG_DATA_HOME", home.path()).output().unwrap()
    };
    let built = full("build KRK");
    let error = String::from_utf8(built.stderr).unwrap();
    assert_eq!((built.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains("KRK.nbt"), "{error}");
    assert!(left().is_empty(), "{:?}", left());
    let probed = full("probe 'Kc3 Ra1' --king all");
    assert_eq!(String::from_utf8(probed.stdout).unwrap().lines().next(), Some("Mate in 25: try a1b1."));
    assert!(String::from_utf8(probed.stderr).unwrap().contains("could not be kept"));
    assert!(left().is_empty(), "{:?}", left());
}

#[test]
fn the_report_is_made_with_all_it_refers_to() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("report");
    let output = Command::new(env!("CARGO_BIN_EXE_nebel"))
        .args(["reproduce", "krk", "--quick", "--output"])
        .arg(&folder)
        .env("XDG_DATA_HOME", home.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("krk.md")).unwrap();
    assert!(page.contains("| longest forced mate | 41 | 37 |"), "{page}");
    let figures = page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
    let mut seen = 0;
    for figure in figures {
        assert!(std::fs::read_to_string(folder.join(figure)).unwrap().starts_with("<svg"), "{figure}");
        seen += 1;
    }
    assert_eq!(seen, 6);
}
