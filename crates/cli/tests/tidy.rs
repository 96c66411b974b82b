//! The repository tests itself: module docs, file sizes, dependency edges, and documents in step
//! with the code.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn crates() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let mut crates: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    crates.sort();
    crates
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn every_source_file_says_what_it_is_and_holds_one_thing() {
    for path in crates().iter().flat_map(|folder| sources(folder)) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//! "), "{}: module docs come first", path.display());
        let lines = text.lines().count();
        assert!(lines <= 600, "{}: {lines} lines hold more than one thing", path.display());
    }
}

/// Which crates of ours each crate may use. An edge that is not here is forbidden.
const ALLOWED: [(&str, &[&str]); 12] = [
    ("search", &[]),
    ("kriegspiel", &[]),
    ("position", &["kriegspiel"]),
    ("belief", &["kriegspiel", "position"]),
    ("tablebase", &["kriegspiel", "position"]),
    ("prover", &["kriegspiel", "position", "belief", "search", "tablebase"]),
    ("players", &["kriegspiel", "position", "belief", "search", "prover", "tablebase"]),
    ("arena", &["kriegspiel", "belief", "prover", "tablebase", "players"]),
    ("server", &["search", "kriegspiel", "belief", "prover", "tablebase", "players", "arena"]),
    (
        "experiments",
        &["search", "kriegspiel", "position", "belief", "prover", "tablebase", "players", "arena"],
    ),
    ("python", &["search", "kriegspiel", "position", "belief", "prover", "tablebase", "players", "arena"]),
    (
        "cli",
        &[
            "search",
            "kriegspiel",
            "belief",
            "prover",
            "tablebase",
            "players",
            "arena",
            "experiments",
            "server",
        ],
    ),
];

#[test]
fn dependencies_point_one_way() {
    for folder in crates() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let (_, allowed) =
            ALLOWED.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}"));
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("name = \"nebel-{name}\"")), "{name}: package and folder agree");
        let used = manifest.lines().filter_map(|line| line.strip_prefix("nebel-"));
        for used in used.map(|rest| rest.split(['.', ' ', '=']).next().unwrap()) {
            assert!(allowed.contains(&used), "{name} must not depend on {used}");
        }
    }
}

#[test]
fn documents_name_every_crate_and_every_command() {
    let architecture = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    for folder in crates() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(architecture.contains(&format!("`{name}`")), "docs/architecture.md does not name {name}");
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let help = Command::new(env!("CARGO_BIN_EXE_nebel")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(names.len() >= 3, "{help}");
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        assert!(readme.contains(&format!("`nebel {name}")), "README.md does not name `nebel {name}`");
    }
}

/// Runs the `console` blocks of a document in order, in one empty folder, and compares what is shown.
#[test]
fn the_tour_in_the_readme_is_real() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_nebel")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let blocks: Vec<&str> =
        readme.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        for step in block.split("$ ").skip(1) {
            let (command, shown) = step.split_once('\n').unwrap();
            let output = Command::new("sh")
                .args(["-c", command])
                .env("PATH", &path)
                .current_dir(&folder)
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
            assert_eq!(text.trim_end(), shown.trim_end(), "$ {command}");
        }
    }
}

/// No image is built here, so its lines are held against what they name.
#[test]
fn the_dockerfile_fits_the_program() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let file = read("Dockerfile");
    let lines = |word: &str| {
        let lines = file.lines().filter_map(move |line| line.strip_prefix(word)?.strip_prefix(' '));
        lines.map(str::trim).collect::<Vec<_>>()
    };
    let version =
        read("Cargo.toml").split_once("rust-version = \"").unwrap().1.split('"').next().unwrap().to_owned();
    let images = lines("FROM");
    let systems: Vec<&str> = images.iter().map(|image| image.split([':', ' ']).nth(1).unwrap()).collect();
    assert!(systems.iter().all(|system| system.contains("bookworm")), "one C library for all: {images:?}");
    assert!(images.contains(&format!("rust:{version}-bookworm AS build").as_str()), "{images:?}");
    // What is copied into the image is what cargo makes there.
    let program = Path::new(env!("CARGO_BIN_EXE_nebel")).file_name().unwrap().to_str().unwrap();
    let folder = lines("WORKDIR")[0];
    let copied = format!("--from=build {folder}/target/release/{program} /usr/local/bin/{program}");
    assert!(lines("COPY").contains(&copied.as_str()), "{file}");
    assert!(lines("RUN").iter().any(|run| run.starts_with("cargo build --release --locked")));
    // Nobody is root, and the data are this user's.
    let user = lines("USER")[0];
    let made = lines("RUN").into_iter().find(|run| run.contains("useradd")).unwrap();
    assert!(
        user != "root" && made.contains(&format!("{user} && mkdir /data && chown {user} /data")),
        "{made}"
    );
    let last = |word: &str| file.rfind(&format!("\n{word} ")).unwrap();
    assert!(last("FROM") < last("USER") && last("RUN") < last("USER") && last("USER") < last("ENTRYPOINT"));
    // The program takes the arguments, and listens on the port by itself.
    let entry: Vec<String> = serde_json::from_str(lines("ENTRYPOINT")[0]).unwrap();
    assert_eq!(entry[0], program);
    let help = Command::new(env!("CARGO_BIN_EXE_nebel")).args(&entry[1..]).arg("--help").output().unwrap();
    let help_text = String::from_utf8(help.stdout).unwrap();
    assert!(
        help.status.success() && help_text.contains(&format!("[default: {}]", lines("EXPOSE")[0])),
        "{help_text}"
    );
    assert_eq!(
        entry.iter().rev().take(2).map(String::as_str).collect::<Vec<_>>(),
        [lines("VOLUME")[0], "--data"]
    );
    // What is not sent to be built: what is built here, and what is not the project's.
    let ignored = read(".dockerignore");
    for name in ["target", "**/node_modules", ".git"] {
        assert!(ignored.lines().any(|line| line == name), "{name}");
    }
}
