//! `nebel bench`: the signature is of the work and of nothing else.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use serde_json::Value;

fn bench(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_nebel"))
        .arg("bench")
        .args(["--json", "--quick"])
        .args(arguments)
        .output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(String::from_utf8(output.stdout).unwrap().lines().last().unwrap()).unwrap()
}

#[test]
fn the_same_work_has_the_same_signature_and_other_work_another_in_every_part() {
    let (first, again, other) = (bench(&[]), bench(&[]), bench(&["--seed", "2"]));
    assert_eq!(first["signature"], again["signature"]);
    assert_eq!(first["parts"], again["parts"]);
    assert_ne!(first["signature"], other["signature"]);
    let parts = first["parts"].as_object().unwrap();
    let names: Vec<&str> = parts.keys().map(String::as_str).collect();
    assert_eq!(names, ["beliefs", "knowledge", "players", "provers", "tables", "umpire"]);
    for (name, signature) in parts {
        assert_eq!(signature.as_str().unwrap().len(), 16, "{name}");
        assert_ne!(*signature, other["parts"][name], "{name} does not depend on its work");
    }
    let speeds = first["speeds"].as_object().unwrap();
    assert_eq!(speeds.len(), parts.len());
    assert!(speeds.values().all(|speed| speed.as_f64().unwrap() > 0.0), "{speeds:?}");
}
