//! Who plays: what a contestant is known by besides its spec.
//!
//! The same command after a change of `c` is another match, or old games would be counted as new. So a contestant is known
//! by its spec, the version of this program, a *signature* of what that spec plays, the contents of the files that
//! its options name, and the names and versions that programs outside report.
//!
//! The signature is a hash of two short games of the spec against itself with a fixed seed and a fixed budget of nodes, one
//! from the beginning and one from an ending: what was tried, and what attempts were worth to a player that can say so. It is of this
//! spec alone: a change of `c` starts a new match for `c` and leaves
//! matches of others as they are. The signature of `nebel bench` would not do: it takes twenty seconds at every
//! match, and a change of a table or a prover would throw away the games of players who use neither. A
//! change that these games do not show (an ending that they do not reach, the use of tables) is told by the version.
//!
//! Nothing is played with programs outside: what they do may depend on anything, and starting them twice may cost
//! minutes. One that reports nothing is known by its command alone.

use std::{collections::BTreeMap, fmt, fs, io, path::PathBuf};

use blake3::Hasher;
use nebel_kriegspiel::{Chess, Rules, ViewEvent, start};
use nebel_players::{Budget, Choice, Fault, Game, Introduction, Player, SpecError, by_spec, provenance};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    game::{Contestant, MatchTerms, Played, play},
    time::TimeControl,
};

/// A contestant, as far as games of it may be counted together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// Its spec.
    pub spec: String,
    /// The version of this program.
    pub nebel: String,
    /// The hash of what it plays; missing for a program outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The hashes of the files that it reads, by the option that names them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Who the programs that it starts say they are, by the option that names them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub programs: BTreeMap<String, Reported>,
}

/// What a program outside says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reported {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// Whether programs outside are asked who they are, which starts each of them once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Introductions {
    /// They are asked.
    Asked,
    /// They are not: nothing is kept that later games could be compared with.
    Skipped,
}

/// Why it cannot be said who plays.
#[derive(Debug, Error)]
pub enum IdentityError {
    /// A spec names no player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A file that it names cannot be read.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
}

impl Identity {
    /// Finds out who a spec is: plays its games, reads its files, asks its programs.
    pub fn of(spec: &str) -> Result<Identity, IdentityError> {
        Identity::with(spec, Introductions::Asked)
    }

    fn with(spec: &str, introductions: Introductions) -> Result<Identity, IdentityError> {
        // First, because whoever builds the player judges its files too: how large they may be, say.
        let signature = signature(spec)?;
        let outside = provenance::outside(spec)?;
        let mut files = BTreeMap::new();
        for (option, path) in outside.files {
            let bytes = fs::read(&path).map_err(|cause| IdentityError::File { path, cause })?;
            files.insert(option.to_owned(), blake3::hash(&bytes).to_hex().to_string());
        }
        // One that fails to say who it is may still play, or lose its games: that is the match's to tell.
        let to_be_asked = outside.programs.into_iter().filter(|_| introductions == Introductions::Asked);
        let asked = to_be_asked.map(|(option, program)| {
            let Introduction { name, version } = program.introduce().unwrap_or_default();
            (option.to_owned(), Reported { name, version })
        });
        Ok(Identity {
            spec: spec.to_owned(),
            nebel: env!("CARGO_PKG_VERSION").to_owned(),
            programs: asked.collect(),
            signature,
            files,
        })
    }

    /// Who a player that no spec makes says it is.
    pub(crate) fn reported(spec: &str, reported: Reported) -> Identity {
        Identity {
            spec: spec.to_owned(),
            nebel: env!("CARGO_PKG_VERSION").to_owned(),
            signature: None,
            files: BTreeMap::new(),
            programs: BTreeMap::from([("guest".to_owned(), reported)]),
        }
    }

    /// The identities of many, each spec looked at once.
    pub fn of_all(specs: &[String], introductions: Introductions) -> Result<Vec<Identity>, IdentityError> {
        let mut known: Vec<Identity> = Vec::new();
        for spec in specs {
            let there = known.iter().find(|identity| identity.spec == *spec).cloned();
            known.push(there.map_or_else(|| Identity::with(spec, introductions), Ok)?);
        }
        Ok(known)
    }

    /// A few letters that tell versions of one spec apart.
    pub fn mark(&self) -> String {
        // What is written is the same wherever it is read: a struct keeps the order of its fields, a map is ordered.
        let text = serde_json::to_string(self).unwrap_or_default();
        blake3::hash(text.as_bytes()).to_hex()[..MARK].to_owned()
    }
}

/// Letters of a mark: some four thousand million marks.
const MARK: usize = 8;

impl fmt::Display for Identity {
    /// What tells it from other versions: `0.1.0 1a2b3c4d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Reported { name, version } in self.programs.values() {
            let name = if name.is_empty() { "a program without a name" } else { name };
            write!(
                f,
                "{name} {}",
                version.as_ref().map_or_else(String::new, |version| format!("{version} "))
            )?;
        }
        write!(f, "{} {}", self.nebel, self.mark())
    }
}

/// A game that is the same on every machine: so many moves of a player against itself.
#[derive(Clone, Debug)]
pub struct FixedGame {
    /// Where it begins.
    pub start: Chess,
    /// The rules.
    pub rules: Rules,
    /// Moves of each side.
    pub moves: u32,
    /// Nodes for each choice.
    pub nodes: u64,
    /// The seeds of White and Black.
    pub seeds: [u64; 2],
}

impl FixedGame {
    /// Plays it. The spec should be a repeatable one ([`provenance::repeatable`]).
    pub fn play(&self, spec: &str) -> Result<Played, SpecError> {
        let (mut white, mut black) = (by_spec(spec)?, by_spec(spec)?);
        Ok(self.between(&mut *white, &mut *black))
    }

    fn between(&self, white: &mut dyn Player, black: &mut dyn Player) -> Played {
        let terms =
            MatchTerms { rules: self.rules.clone(), start: self.start.clone(), max_moves: Some(self.moves) };
        let time = TimeControl::Nodes(self.nodes);
        let [white_seed, black_seed] = self.seeds;
        let white = Contestant { player: white, seed: white_seed, time };
        play(&terms, white, Contestant { player: black, seed: black_seed, time }, |_| {})
    }
}

/// Where the games of a signature begin: at the beginning, and where rules for endings have something to do.
const STARTS: [&str; 2] =
    ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/5p2/2n5/8/8/1P3N2/4R3/4K3 w - - 0 1"];
const MOVES: u32 = 10;
const NODES: u64 = 200;
const SEEDS: [u64; 2] = [0x6e65, 0x6265];

/// What a spec plays and why, in a word; `None` for a program outside.
fn signature(spec: &str) -> Result<Option<String>, SpecError> {
    // Whoever cannot be built is refused here, programs outside included.
    drop(by_spec(spec)?);
    let Some(spec) = provenance::repeatable(spec)? else { return Ok(None) };
    let mut hasher = Hasher::new();
    for fen in STARTS {
        let Ok(start) = start::position(fen) else { continue };
        let game = FixedGame { start, rules: Rules::icc(), moves: MOVES, nodes: NODES, seeds: SEEDS };
        let mut sides = [Overheard::new(by_spec(&spec)?), Overheard::new(by_spec(&spec)?)];
        let [white, black] = &mut sides;
        for event in game.between(white, black).transcript.events() {
            hasher.update(event.to_json(&game.rules).as_bytes());
            hasher.update(b"\n");
        }
        for side in sides {
            hasher.update(side.reasons.finalize().as_bytes());
        }
    }
    Ok(Some(hasher.finalize().to_hex()[..SIGNATURE].to_owned()))
}

/// Letters of a signature.
const SIGNATURE: usize = 16;

/// A player whose reasons are listened to: a small change of a weight is seen in what attempts are worth long before it changes
/// the attempt that is chosen.
struct Overheard {
    player: Box<dyn Player>,
    reasons: Hasher,
}

/// Values are taken in steps so coarse that the last digits of a logarithm, which differ from machine to machine, do not matter.
const STEPS: f64 = 1024.0;

impl Overheard {
    fn new(player: Box<dyn Player>) -> Overheard {
        Overheard { player, reasons: Hasher::new() }
    }
}

impl Player for Overheard {
    fn spec(&self) -> String {
        self.player.spec()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.player.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        self.player.hear(event)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let choice = self.player.choose(budget);
        let mut weighed = self.player.explain().map(|explanation| explanation.attempts).unwrap_or_default();
        weighed.sort_by_key(|weighed| weighed.attempt.to_string());
        for weighed in weighed {
            self.reasons.update(weighed.attempt.to_string().as_bytes());
            self.reasons.update(&((weighed.value * STEPS).round() as i64).to_le_bytes());
            self.reasons.update(&weighed.visits.to_le_bytes());
        }
        choice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_known_by_what_it_plays_and_stays_the_same() {
        for spec in ["random", "greedy", "c", "minimax", "hs", "wolfe-white"] {
            let identity = Identity::of(spec).unwrap();
            assert_eq!(identity, Identity::of(spec).unwrap(), "{spec}");
            assert_eq!(identity.signature.as_ref().map(String::len), Some(SIGNATURE));
        }
        let signature = |spec| Identity::of(spec).unwrap().signature;
        assert_ne!(signature("c"), signature("c:c=50"), "an option that changes the play");
        assert_eq!(signature("c"), signature("c:tables=on,threads=2"), "the machine decides nothing");
        assert!(matches!(Identity::of("deep-blue"), Err(IdentityError::Spec(_))));
    }

    #[test]
    fn contents_of_files_and_reports_of_programs_count() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.json");
        let spec = format!("c:model={}", model.display());
        assert!(Identity::of(&spec).unwrap_err().to_string().contains("model.json"));
        let standard = nebel_belief::opponent::Model::standard().to_json();
        fs::write(&model, &standard).unwrap();
        let first = Identity::of(&spec).unwrap();
        fs::write(&model, standard + "\n").unwrap();
        let second = Identity::of(&spec).unwrap();
        assert_eq!(first.signature, second.signature, "they play the same");
        assert_ne!(first.mark(), second.mark());

        let bot = |answer: &str| {
            let script = folder.path().join("bot.sh");
            fs::write(&script, format!("read l; echo '{answer}'; read l")).unwrap();
            Identity::of(&format!("exec:sh {}", script.display())).unwrap()
        };
        let one = bot(r#"{"type":"ready","name":"x","version":"1"}"#);
        assert_eq!(one.programs["exec"], Reported { name: "x".into(), version: Some("1".into()) });
        assert_ne!(one.mark(), bot(r#"{"type":"ready","name":"x","version":"2"}"#).mark());
        assert!(one.signature.is_none() && one.to_string().starts_with("x 1 "), "{one}");
        assert_eq!(bot("I am no bot").programs["exec"], Reported::default());
    }

    #[test]
    fn an_identity_is_read_as_it_was_written() {
        let specs = ["random", "exec:false", "random"].map(str::to_owned);
        let identities = Identity::of_all(&specs, Introductions::Asked).unwrap();
        let unasked = Identity::of_all(&specs, Introductions::Skipped).unwrap();
        assert!(identities[1].programs.contains_key("exec") && unasked[1].programs.is_empty());
        assert_eq!(identities[0], identities[2]);
        let text = serde_json::to_string(&identities).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Identity>>(&text).unwrap(), identities);
    }
}
