//! Measurements over collections of mate problems: `nebel problems bench` and the figure made of it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path, process::Output};

use assert_cmd::Command;

fn nebel(folder: &Path, args: &[&str]) -> Output {
    Command::cargo_bin("nebel").unwrap().args(args).current_dir(folder).output().unwrap()
}

/// A file of the shipped collections.
fn collection(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../collections").join(name).display().to_string()
}

fn complaint(output: &Output, words: &str) {
    let complaint = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.lines().count() == 1 && complaint.contains(words), "{complaint}");
}

#[test]
fn a_measurement_that_was_cut_off_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = collection("berkeley-3.jsonl");
    let bench = |more: &[&str]| {
        let args = ["problems", "bench", &file, "--first", "4", "--jobs", "2", "--output", "rows.csv"];
        nebel(folder.path(), &[&args, more].concat())
    };
    let output = bench(&["--curve", "curve.svg"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty());
    let rows = folder.path().join("rows.csv");
    let whole = fs::read_to_string(&rows).unwrap();
    assert_eq!(whole.lines().count(), 1 + 4 * 2, "{whole}");
    let drawing = fs::read_to_string(folder.path().join("curve.svg")).unwrap();
    assert!(drawing.contains("gl-dbu") && drawing.contains("auto") && drawing.contains("problems decided"));

    let cut = &whole[..whole.len() - 9];
    fs::write(&rows, cut).unwrap();
    assert!(bench(&[]).status.success());
    let again = fs::read_to_string(&rows).unwrap();
    let kept = &cut[..=cut.rfind('\n').unwrap()];
    assert!(again.starts_with(kept), "{again}");
    assert_eq!(again.lines().count(), 1 + 4 * 2, "{again}");
    assert!(bench(&[]).status.success());
    assert_eq!(fs::read_to_string(&rows).unwrap(), again, "nothing was left to do");

    complaint(&bench(&["--time", "5"]), "rows.csv: its limit is 60 s, not 5 s");
    complaint(&bench(&["--memory", "5"]), "rows.csv: its limit is 2048 MiB, not 5 MiB");
    complaint(&bench(&["--threads", "2"]), "rows.csv: its threads are 1, not 2");
    complaint(&bench(&["--time=-1"]), "--time");
    complaint(&bench(&["--algorithms", "alpha-beta"]), "no algorithm is called");
    fs::write(&rows, "a letter to a friend").unwrap();
    complaint(&bench(&[]), "rows.csv: line 1: not a row");
    assert_eq!(fs::read_to_string(&rows).unwrap(), "a letter to a friend");
}

#[test]
fn figure_9_is_made_with_all_it_refers_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = collection("berkeley-3.jsonl");
    let args = ["reproduce", "rw-fig9", "--quick", "--output", "page", "--collection", &file];
    let output = nebel(folder.path(), &args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| fs::read_to_string(folder.path().join("page").join(name)).unwrap();
    let page = read("rw-fig9.md");
    assert!(page.contains("| mates | 5 |") && page.contains("| near-misses | 5 |"), "{page}");
    assert!(page.contains("rw-fig9.svg") && read("rw-fig9.svg").contains("near-misses, interleaved"));
    let rows = read("rw-fig9.csv");
    assert_eq!(rows.lines().count(), 1 + 10);
    for row in rows.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |index: usize| cells[index].parse::<usize>().unwrap();
        assert!(number(3) <= number(2) && number(3) > 0, "no more are taken than there are: {row}");
        assert!(cells[1] == "near-miss" || number(3) == number(2), "a mate takes all: {row}");
    }
    complaint(&nebel(folder.path(), &["reproduce", "rw-fig9", "--collection", "none.jsonl"]), "none.jsonl");
}

#[test]
fn a_deepening_that_was_cut_off_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read_to_string(collection("berkeley-3.jsonl")).unwrap();
    let misses = whole.lines().filter(|line| line.contains("\"guaranteed\":false")).take(6);
    fs::write(folder.path().join("three.jsonl"), misses.collect::<Vec<_>>().join("\n")).unwrap();
    let deepen = |output: &str| {
        nebel(folder.path(), &["problems", "deepen", "three.jsonl", "--plies", "5", "--output", output])
    };
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(deepen("five.jsonl").status.success());
    assert!(!folder.path().join("five.jsonl.journal").exists());
    let first = read("five.jsonl");
    assert!(first.lines().count() > 0 && first.lines().all(|line| line.contains("\"plies\":5")), "{first}");
    // What the journal says is believed, its last line only if it is whole.
    let header = header_of(&folder, "three.jsonl");
    let journal = |name: &str, header: &str, body: &str| {
        fs::write(folder.path().join(format!("{name}.jsonl.journal")), format!("{header}{body}")).unwrap();
    };
    journal("again", &header, "1 neither\n2 neither\n3 neither\n4 neither\n5 neither\n6 neit");
    assert!(deepen("again.jsonl").status.success());
    let last = whole.lines().filter(|line| line.contains("\"guaranteed\":false")).nth(5).unwrap();
    let view = &last[last.find("\"view\"").unwrap()..];
    let again = read("again.jsonl");
    assert_eq!(again.lines().count(), usize::from(first.contains(view)), "{again}");
    for (header, body, words) in [
        (header.replace("5 plies", "7 plies"), "", "another collection or depth"),
        (header.replace("100000000", "1000"), "", "another limit"),
        (header.clone(), "9 mate\n", "line 2: not a verdict"),
        (header.clone(), "1 mate\n2 perhaps\n", "line 3: not a verdict"),
    ] {
        journal("bad", &header, body);
        complaint(&deepen("bad.jsonl"), words);
    }
}

/// The first line of the journal of a collection, as a run that cannot write its output leaves it.
fn header_of(folder: &tempfile::TempDir, collection: &str) -> String {
    // A folder stands where the output should go.
    fs::create_dir_all(folder.path().join("blocked.jsonl")).unwrap();
    let args = ["problems", "deepen", collection, "--plies", "5", "--output", "blocked.jsonl"];
    assert!(!nebel(folder.path(), &args).status.success());
    let path = folder.path().join("blocked.jsonl.journal");
    let journal = fs::read_to_string(&path).unwrap();
    fs::remove_file(path).unwrap();
    journal.lines().next().unwrap().to_owned() + "\n"
}

#[test]
fn a_journal_of_other_problems_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read_to_string(collection("berkeley-3.jsonl")).unwrap();
    // Two collections of one size, and as many positions in each of their problems: only the problems differ.
    let near_misses: Vec<&str> = whole.lines().filter(|line| line.contains("\"guaranteed\":false")).collect();
    let states =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["states"].as_u64().unwrap();
    let twin = near_misses.iter().skip(1).find(|line| states(line) == states(near_misses[0])).unwrap();
    fs::write(folder.path().join("one.jsonl"), near_misses[0]).unwrap();
    fs::write(folder.path().join("other.jsonl"), twin).unwrap();

    let bench = |file: &str| nebel(folder.path(), &["problems", "bench", file, "--output", "rows.csv"]);
    assert!(bench("one.jsonl").status.success());
    complaint(&bench("other.jsonl"), "rows.csv: its problem 1 is another one");
    assert!(bench("one.jsonl").status.success(), "its own problems are gone on with");

    let header = header_of(&folder, "one.jsonl");
    fs::write(folder.path().join("five.jsonl.journal"), header + "1 mate\n").unwrap();
    let args = ["problems", "deepen", "other.jsonl", "--plies", "5", "--output", "five.jsonl"];
    complaint(&nebel(folder.path(), &args), "five.jsonl.journal: it belongs to another collection");
}

#[test]
fn figure_4_is_made_with_all_it_refers_to() {
    let folder = tempfile::tempdir().unwrap();
    // Three plies: every algorithm decides them long before its time is over, on a slow machine too.
    let file = collection("berkeley-3.jsonl");
    let args = ["reproduce", "rw-fig4", "--quick", "--jobs", "2", "--output", "page", "--collection"];
    let output = nebel(folder.path(), &[&args, &[&*file][..]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| fs::read_to_string(folder.path().join("page").join(name)).unwrap();
    let page = read("rw-fig4.md");
    let (ranks, memory) = page.split_once("## Memory").unwrap();
    let ranked = |name: &str| ranks.lines().filter(|line| line.contains(&format!("| `{name}` |"))).count();
    assert!(["pns", "ipns", "l-dbu"].iter().all(|name| memory.contains(&format!("| `{name}` |"))), "{page}");
    assert!(["dfs", "pns", "ipns", "gl-dbu", "auto"].iter().all(|name| ranked(name) == 2), "{page}");
    assert!(
        page.contains("## Mates") && page.contains("## Near-misses") && page.contains("of 3 |"),
        "{page}"
    );
    assert!(page.contains("section 6.4"), "{page}");
    assert_eq!(read("rw-fig4.csv").lines().count(), 1 + 6 * 12);
    for drawing in ["mates.svg", "near-misses.svg"] {
        assert!(page.contains(drawing) && read(drawing).contains("gx-dfs"));
    }
    let missing = ["reproduce", "rw-fig4", "--collection", "none.jsonl"];
    complaint(&nebel(folder.path(), &missing), "none.jsonl");
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    let empty = ["reproduce", "rw-fig4", "--collection", "empty.jsonl"];
    complaint(&nebel(folder.path(), &empty), "empty.jsonl: no mate to measure");
}

/// The first lines of each kind.
fn beginning(text: &str, count: usize) -> Vec<String> {
    let kind = |guaranteed: &str| {
        let lines = text.lines().filter(move |line| line.contains(&format!("\"guaranteed\":{guaranteed}")));
        lines.take(count).map(str::to_owned).collect::<Vec<_>>()
    };
    [kind("true"), kind("false")].concat()
}

#[test]
fn the_collection_of_five_plies_follows_from_that_of_three() {
    let folder = tempfile::tempdir().unwrap();
    let three = collection("berkeley-3.jsonl");
    let args = ["problems", "deepen", &three, "--plies", "5", "--count", "6", "--output", "five.jsonl"];
    assert!(nebel(folder.path(), &args).status.success());
    let shipped = fs::read_to_string(collection("berkeley-5.jsonl")).unwrap();
    let made = fs::read_to_string(folder.path().join("five.jsonl")).unwrap();
    assert_eq!(made.lines().count(), 12);
    assert_eq!(made.lines().map(str::to_owned).collect::<Vec<_>>(), beginning(&shipped, 6));
}

#[test]
fn fewer_problems_are_the_beginning_of_more() {
    let folder = tempfile::tempdir().unwrap();
    let generate = |count: &str, more: &[&str]| {
        let args = [&["problems", "generate", "--count", count, "--seed", "3"], more].concat();
        let output = nebel(folder.path(), &args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let more = generate("2", &[]);
    assert_eq!(generate("1", &["--threads", "2"]).lines().collect::<Vec<_>>(), beginning(&more, 1));
    let misses = generate("0", &["--near-misses", "1"]);
    assert_eq!(misses.lines().collect::<Vec<_>>(), beginning(&more, 1)[1..]);
}

#[test]
fn what_the_limit_leaves_undecided_goes_to_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read_to_string(collection("berkeley-3.jsonl")).unwrap();
    fs::write(folder.path().join("three.jsonl"), beginning(&whole, 4)[4..].join("\n")).unwrap();
    let args = ["problems", "deepen", "three.jsonl", "--plies", "7", "--nodes", "30", "--open", "open.jsonl"];
    let output = nebel(folder.path(), &args);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let open = fs::read_to_string(folder.path().join("open.jsonl")).unwrap();
    assert_eq!(open.matches("\"guaranteed\":null").count(), 4, "{open}");
}

#[test]
fn problems_that_are_not_what_they_are_called_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read_to_string(collection("berkeley-3.jsonl")).unwrap();
    let some = beginning(&whole, 3).join("\n");
    let verify = |text: &str, more: &[&str]| {
        fs::write(folder.path().join("some.jsonl"), text).unwrap();
        nebel(folder.path(), &[&["problems", "verify", "some.jsonl"], more].concat())
    };
    let output = verify(&some, &[]);
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        said.starts_with("some.jsonl: 3 mates, ") && said.contains("3 near-misses, 0 undecided; 6 checked")
    );
    let called_mates = some.replace("\"guaranteed\":false", "\"guaranteed\":true");
    complaint(&verify(&called_mates, &[]), "some.jsonl: line 4: no mate can be forced");
    let called_misses = some.replace("\"guaranteed\":true", "\"guaranteed\":false");
    complaint(&verify(&called_misses, &[]), "some.jsonl: line 1: a mate can be forced");
    complaint(&verify(&some, &["--nodes", "1"]), "line 1: the limit on nodes was reached");
    complaint(&verify(&some, &["--every", "0"]), "--every");
    complaint(
        &verify(&some.replacen("\"states\":", "\"states\":9", 1), &[]),
        "positions agree with the view",
    );
}
