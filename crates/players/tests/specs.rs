//! Specs: judged by the declarations of options, before anything is built.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use nebel_players::{Behind, Kind, SpecError, Takes, by_spec, check_untrusted, kinds};

fn complaint(spec: &str) -> String {
    by_spec(spec).err().unwrap_or_else(|| panic!("{spec} is taken")).to_string()
}

#[test]
fn the_default_of_every_option_is_one_that_it_takes() {
    for kind in kinds() {
        let names: Vec<&str> = kind.options().iter().map(|option| option.name).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "{}", kind.name);
        for option in kind.options() {
            assert!(!option.help.is_empty(), "{} {}", kind.name, option.name);
            if option.default.is_some() {
                let spec = format!("{}:{}", kind.name, option.written());
                assert!(by_spec(&spec).is_ok(), "{spec}");
            }
            if option.open().is_some() {
                let spec = format!("{}:{}", kind.name, option.written());
                assert_eq!(check_untrusted(&spec), Ok(()), "{spec}");
            }
        }
    }
}

/// Both ends of every range are taken, and what lies beyond is not.
#[test]
fn every_number_has_two_ends() {
    for kind in kinds() {
        for option in kind.options() {
            let (least, most) = match option.takes {
                Takes::Whole { least, most } => (least as f64, most as f64),
                Takes::Number { least, most } => (least, most),
                _ => continue,
            };
            let spec = |value: f64| format!("{}:{}={value}", kind.name, option.name);
            for value in [least - 1.0, most + 1.0, f64::NAN, f64::INFINITY, 1e300] {
                let error = complaint(&spec(value));
                let wanted =
                    format!("player `{}` takes {} from {least} to {most}, not", kind.name, option.name);
                assert!(error.starts_with(&wanted), "{error}");
            }
            assert!(by_spec(&spec(least)).is_ok(), "{}", spec(least));
            assert!(by_spec(&spec(most)).is_ok(), "{}", spec(most));
        }
    }
}

#[test]
fn a_spec_that_is_refused_builds_nothing() {
    let begin = Instant::now();
    let specs = [
        "hs:threads=100000",
        "hs:threads=64,k=0",
        "hs:threads=64,depth=255",
        "c:threads=65",
        "aosp:threads=64,threads=64",
        "hs:pool=18446744073709551615",
        "hs:k=-1,threads=64",
        "los:eval=uci/sleep 60,depth=x",
        "c:model=/nowhere,k=10",
        "c:",
        "random:",
        "greedy:k=1",
        "exec:",
        "exec",
        "exec: ",
    ];
    for spec in specs {
        assert!(!complaint(spec).contains('\n'), "{spec}");
    }
    // Thousands of evaluators of a megabyte and a half took seconds; a debugger would not take this long.
    assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
    assert_eq!(
        complaint("hs:threads=100000"),
        "player `hs` takes threads from 1 to 64, not `threads=100000`"
    );
}

#[test]
fn what_means_nothing_for_a_player_is_refused() {
    for (spec, option) in [
        ("c:k=10", "k=10"),
        ("b:choice=visits", "choice=visits"),
        ("a:safety=1", "safety=1"),
        ("b:backup=max", "backup=max"),
        ("los:pool=100", "pool=100"),
        ("aos:keep=100", "keep=100"),
        ("minimax:few=2", "few=2"),
    ] {
        let error = complaint(spec);
        assert!(error.ends_with(&format!(", not `{option}`")), "{error}");
    }
    assert_eq!(complaint("random:k=1"), "player `random` takes no options, not `k=1`");
}

/// What a visitor may choose must neither start, read nor grow anything.
#[test]
fn strangers_choose_style_and_nothing_that_costs() {
    for spec in
        ["random", "los:k=50", "hs:k=100,rule=answers", "b:k=7", "c:worth=count,plans=on,few=0,tables=off"]
    {
        assert_eq!(check_untrusted(spec), Ok(()), "{spec}");
    }
    let costly = [
        "threads",
        "depth",
        "iterations",
        "pool",
        "keep",
        "eval",
        "model",
        "least",
        "nodes",
        "value",
        "recovery",
    ];
    // Presets that ask for more boards or nodes than a visitor may have.
    let large = ["los", "aos", "aosp", "hs", "minimax"];
    for kind in kinds() {
        for option in kind.options() {
            assert_eq!(
                option.open().is_none(),
                costly.contains(&option.name) || option.name == "preset" && large.contains(&kind.name),
                "{} {}",
                kind.name,
                option.name
            );
        }
        match kind.takes {
            Behind::Options(_) => assert_eq!(check_untrusted(kind.name), Ok(())),
            Behind::Command => assert_eq!(check_untrusted("exec:true"), Err(SpecError::Program("exec"))),
        }
    }
    for (spec, wanted) in [
        ("hs:k=101", "player `hs` takes k from 1 to 100, not `k=101`"),
        ("b:k=11", "player `b` takes k from 1 to 10, not `k=11`"),
        ("hs:threads=2", "player `hs` takes no threads here"),
        ("hs:depth=255", "player `hs` takes no depth here"),
        ("hs:eval=ab", "player `hs` takes no eval here"),
        ("c:model=Cargo.toml", "player `c` takes no model here"),
    ] {
        assert_eq!(check_untrusted(spec).unwrap_err().to_string(), wanted);
    }
}

#[test]
fn usage_is_made_of_the_declarations() {
    let usage = |name: &str| kinds().iter().find(|kind| kind.name == name).map(Kind::usage).unwrap();
    assert_eq!(usage("random"), "random");
    assert_eq!(usage("exec"), "exec:COMMAND");
    assert_eq!(
        usage("minimax"),
        "minimax:tables=on,preset=best,nodes=N,danger=lines,checks=off,blunders=off"
    );
    assert_eq!(usage("los"), "los:k=100,rule=legal,eval=ab,depth=1,threads=1,least=0,preset=usual");
    assert!(usage("c").contains("c=5") && usage("b").starts_with("b:k=3,c=8"));
    assert!(complaint("nobody").starts_with("unknown player `nobody` (known: random, greedy, los"));
    assert!(complaint(&"x".repeat(100_000)).len() < 400);
}
