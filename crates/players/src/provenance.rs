//! What a spec takes from outside this program, and the same player without what belongs to the machine.
//!
//! Two runs of one spec are the same only if what it reads and whom it starts are the same too: a model file may have been
//! fitted anew, an engine updated. And a game that is to be the same everywhere, such as one that stands for what a
//! player does, may depend neither on tables that somebody happens to have nor on how threads take turns.

use std::{path::PathBuf, time::Duration};

use nebel_kriegspiel::{Chess, Color, Rules};

use crate::{
    Behind, Exec, Fault, Game, Introduction, Player as _, Takes,
    evaluate::Uci,
    options::Given,
    spec::{SpecError, kind_of},
};

/// What a player takes from outside this program, each with the option that names it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outside {
    /// Files that it reads.
    pub files: Vec<(&'static str, PathBuf)>,
    /// Programs that it starts.
    pub programs: Vec<(&'static str, OutsideProgram)>,
}

/// A program that a player starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutsideProgram {
    /// One that speaks the bot protocol.
    Bot(String),
    /// A chess engine behind the Universal Chess Interface.
    Engine(String),
}

/// What a spec takes from outside.
pub fn outside(spec: &str) -> Result<Outside, SpecError> {
    let (kind, behind) = kind_of(spec)?;
    let Behind::Options(declared) = kind.takes else {
        let command = OutsideProgram::Bot(behind.unwrap_or_default().to_owned());
        return Ok(Outside { files: Vec::new(), programs: vec![(kind.name, command)] });
    };
    let given = Given::judge(declared, behind).map_err(|error| kind.wrong(error))?;
    let mut found = Outside::default();
    for option in declared {
        let Some(value) = given.text(option.name) else { continue };
        match option.takes {
            Takes::File => found.files.push((option.name, PathBuf::from(value))),
            Takes::Program { prefix, .. } => {
                let engine =
                    value.strip_prefix(prefix).map(|command| OutsideProgram::Engine(command.to_owned()));
                found.programs.extend(engine.map(|engine| (option.name, engine)));
            }
            Takes::Whole { .. } | Takes::Number { .. } | Takes::Word(_) => {}
        }
    }
    Ok(found)
}

/// Options that depend on the machine, and what makes games repeat on any.
const OF_THE_MACHINE: [(&str, &str); 2] = [("tables", "off"), ("threads", "1")];

/// The same player without what belongs to the machine: no tables, one thread, its own evaluation in place of an engine.
/// `None` for a program outside, which is not ours to play with.
pub fn repeatable(spec: &str) -> Result<Option<String>, SpecError> {
    let (kind, behind) = kind_of(spec)?;
    let Behind::Options(declared) = kind.takes else { return Ok(None) };
    let given = Given::judge(declared, behind).map_err(|error| kind.wrong(error))?;
    let mut options: Vec<String> = Vec::new();
    for option in declared {
        let fixed = OF_THE_MACHINE.iter().find(|(name, _)| *name == option.name).map(|(_, value)| *value);
        let is_program = matches!(option.takes, Takes::Program { .. });
        match (fixed, given.given(option.name)) {
            (Some(value), _) if option.default != Some(value) => {
                options.push(format!("{}={value}", option.name));
            }
            (None, Some(value)) if !is_program => options.push(format!("{}={value}", option.name)),
            _ => {}
        }
    }
    let name = kind.name;
    Ok(Some(if options.is_empty() { name.to_owned() } else { format!("{name}:{}", options.join(",")) }))
}

/// How long an engine may take to introduce itself.
const PATIENCE: Duration = Duration::from_secs(10);

impl OutsideProgram {
    /// Starts the program, asks who it is, and lets it go.
    pub fn introduce(&self) -> Result<Introduction, Fault> {
        match self {
            OutsideProgram::Bot(command) => {
                let mut bot = Exec::new(command);
                let (rules, start) = (Rules::icc(), Chess::new());
                bot.start(Game { side: Color::White, rules, start, seed: 0 })?;
                Ok(bot.introduction().clone())
            }
            OutsideProgram::Engine(command) => {
                Ok(Introduction { name: Uci::introduce(command, PATIENCE)?, version: None })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_programs_of_a_spec_are_found() {
        let of = |spec| outside(spec).unwrap();
        assert_eq!(of("c:few=1"), Outside::default());
        assert_eq!(of("c:model=a.json,few=1").files, [("model", PathBuf::from("a.json"))]);
        let engine = OutsideProgram::Engine("gnuchess -u".to_owned());
        assert_eq!(of("hs:k=5,eval=uci/gnuchess -u").programs, [("eval", engine)]);
        assert_eq!(of("exec:./bot x").programs, [("exec", OutsideProgram::Bot("./bot x".to_owned()))]);
        assert!(outside("deep-blue").is_err() && outside("c:colour=red").is_err());
    }

    #[test]
    fn a_repeatable_player_has_no_tables_no_threads_and_no_engine() {
        let of = |spec| repeatable(spec).unwrap();
        assert_eq!(of("random").as_deref(), Some("random"));
        assert_eq!(of("minimax").as_deref(), Some("minimax:tables=off"));
        assert_eq!(of("c:threads=4,few=1,tables=on").as_deref(), Some("c:few=1,tables=off"));
        assert_eq!(of("hs:eval=uci/x,k=7,threads=2").as_deref(), Some("hs:k=7"));
        assert_eq!(of("exec:./bot"), None);
    }

    #[test]
    fn programs_say_who_they_are_or_fail() {
        let bot = |script: &str| OutsideProgram::Bot(format!("sh -c '{script}'")).introduce();
        let answer = r#"read l; echo "{\"type\":\"ready\",\"name\":\"x\",\"version\":\"2\"}"; read l"#;
        assert_eq!(bot(answer), Ok(Introduction { name: "x".to_owned(), version: Some("2".to_owned()) }));
        let answer = r#"read l; echo "{\"type\":\"ready\"}"; read l"#;
        assert_eq!(bot(answer), Ok(Introduction::default()));
        assert_eq!(bot("exit 1"), Err(Fault::Died));
        let engine = |script: &str| OutsideProgram::Engine(format!("sh -c '{script}'")).introduce();
        let named = engine("echo id name Deep Thought 1; echo uciok; read l; echo readyok; read l");
        assert_eq!(named, Ok(Introduction { name: "Deep Thought 1".to_owned(), version: None }));
        assert_eq!(engine("exit 1"), Err(Fault::Died));
    }
}
