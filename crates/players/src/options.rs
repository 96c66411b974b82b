//! Options of players: each is declared once, as data, and what a spec gives is judged by the declarations before anything
//! is built.
//!
//! A declaration says what an option takes, what it is when it is left out, what it does in a line, and whether a stranger may
//! choose it. Lists of options, error messages and the web page are made of the same declarations.

use std::fmt;

use nebel_kriegspiel::start::shortened;
use thiserror::Error;

/// An option of a player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerOption {
    /// Its name, before the equals sign.
    pub name: &'static str,
    /// What may stand behind the equals sign.
    pub takes: Takes,
    /// What it is when it is left out, as one would write it. Where that cannot be written, `help` says what it means.
    pub default: Option<&'static str>,
    /// What it does, in a line.
    pub help: &'static str,
    /// Whether somebody who only visits may choose it.
    pub strangers: Strangers,
}

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Takes {
    /// A whole number.
    Whole {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// A number that need not be whole.
    Number {
        /// The smallest.
        least: f64,
        /// The largest.
        most: f64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// The name of a file, which is read.
    File,
    /// This word, or a command behind this prefix, which is started.
    Program {
        /// The word.
        word: &'static str,
        /// The prefix.
        prefix: &'static str,
    },
}

/// What a stranger may choose of an option: style, never what costs the machine more than a player needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strangers {
    /// All that it takes.
    Open,
    /// Whole numbers up to this one.
    UpTo(u64),
    /// Nothing.
    Closed,
}

/// `on` or `off`.
pub(crate) const SWITCH: Takes = Takes::Word(&["on", "off"]);

impl Takes {
    /// The kind in a word.
    pub const fn kind(self) -> &'static str {
        match self {
            Takes::Whole { .. } | Takes::Number { .. } => "number",
            Takes::Word(_) => "choice",
            Takes::File => "file",
            Takes::Program { .. } => "text",
        }
    }

    /// Whether this may stand behind the equals sign.
    fn allows(self, value: &str) -> bool {
        match self {
            Takes::Whole { least, most } => {
                value.parse::<u64>().is_ok_and(|number| (least..=most).contains(&number))
            }
            // What is no number is in no range.
            Takes::Number { least, most } => {
                value.parse::<f64>().is_ok_and(|number| (least..=most).contains(&number))
            }
            Takes::Word(words) => words.contains(&value),
            Takes::File => !value.is_empty(),
            Takes::Program { word, prefix } => {
                value == word || value.strip_prefix(prefix).is_some_and(|command| !command.trim().is_empty())
            }
        }
    }
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Takes::Whole { least, most } => write!(f, "from {least} to {most}"),
            Takes::Number { least, most } => write!(f, "from {least} to {most}"),
            Takes::Word(words) => write!(f, "as {}", words.join(" or ")),
            Takes::File => write!(f, "as FILE"),
            Takes::Program { word, prefix } => write!(f, "as {word} or {prefix}COMMAND"),
        }
    }
}

impl PlayerOption {
    /// What a stranger may choose of it; `None` if nothing.
    pub fn open(&self) -> Option<Takes> {
        match (self.strangers, self.takes) {
            (Strangers::Closed, _) => None,
            (Strangers::UpTo(limit), Takes::Whole { least, most }) => {
                Some(Takes::Whole { least, most: most.min(limit) })
            }
            (Strangers::Open | Strangers::UpTo(_), takes) => Some(takes),
        }
    }

    /// The option as it stands when it is left out, `k=100`.
    pub fn written(&self) -> String {
        format!("{}={}", self.name, self.default.unwrap_or(self.placeholder()))
    }

    const fn placeholder(&self) -> &'static str {
        match self.takes {
            Takes::Whole { .. } | Takes::Number { .. } => "N",
            Takes::Word(_) | Takes::Program { .. } => "WORD",
            Takes::File => "FILE",
        }
    }
}

/// What a spec gives, judged: every value is one that its option takes.
#[derive(Clone, Debug)]
pub(crate) struct Given<'a> {
    declared: &'static [PlayerOption],
    values: Vec<(&'static str, &'a str)>,
}

impl<'a> Given<'a> {
    /// Takes the text behind the colon apart and judges every option by its declaration.
    pub(crate) fn judge(
        declared: &'static [PlayerOption],
        text: Option<&'a str>,
    ) -> Result<Given<'a>, OptionError> {
        judge_by(declared, text, |option| Some(option.takes))
    }

    /// The same for what a stranger gives.
    pub(crate) fn judge_stranger(
        declared: &'static [PlayerOption],
        text: Option<&'a str>,
    ) -> Result<Given<'a>, OptionError> {
        judge_by(declared, text, PlayerOption::open)
    }

    /// The same for a player that must stay within this process: no file is read, no program started.
    pub(crate) fn judge_contained(
        declared: &'static [PlayerOption],
        text: Option<&'a str>,
    ) -> Result<Given<'a>, OptionError> {
        judge_by(declared, text, |option| match option.takes {
            Takes::File | Takes::Program { .. } => None,
            takes => Some(takes),
        })
    }

    /// The same with what a preset says of the options that are not given.
    pub(crate) fn with(mut self, preset: &[(&'static str, &'static str)]) -> Given<'a> {
        for &(name, value) in preset {
            if self.given(name).is_none() {
                self.values.push((name, value));
            }
        }
        self
    }

    /// What was given for an option.
    pub(crate) fn given(&self, name: &str) -> Option<&'a str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// What was given for an option, or its default; `None` where the player has neither.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        self.given(name).or_else(|| self.declared.iter().find(|option| option.name == name)?.default)
    }

    /// A whole number.
    pub(crate) fn whole(&self, name: &str) -> Option<u64> {
        self.text(name)?.parse().ok()
    }

    /// A number.
    pub(crate) fn number(&self, name: &str) -> Option<f32> {
        self.text(name)?.parse().ok()
    }

    /// Whether a switch is on.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.text(name) == Some("on")
    }
}

fn judge_by<'a>(
    declared: &'static [PlayerOption],
    text: Option<&'a str>,
    takes: impl Fn(&PlayerOption) -> Option<Takes>,
) -> Result<Given<'a>, OptionError> {
    let mut values: Vec<(&'static str, &'a str)> = Vec::new();
    for part in text.into_iter().flat_map(|text| text.split(',')) {
        if declared.is_empty() {
            return Err(OptionError::None(shortened(part)));
        }
        let (name, value) = part.split_once('=').ok_or_else(|| OptionError::Form(shortened(part)))?;
        let option = declared.iter().find(|option| option.name == name).ok_or_else(|| {
            let known: Vec<&str> = declared.iter().map(|option| option.name).collect();
            OptionError::Unknown { given: shortened(part), known: known.join(", ") }
        })?;
        let takes = takes(option).ok_or(OptionError::Closed(option.name))?;
        if !takes.allows(value) {
            return Err(OptionError::Value {
                name: option.name,
                takes: takes.to_string(),
                given: shortened(part),
            });
        }
        if values.iter().any(|(known, _)| *known == name) {
            return Err(OptionError::Twice(option.name));
        }
        values.push((option.name, value));
    }
    Ok(Given { declared, values })
}

/// What is wrong with an option. The sentence begins with the player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// The player takes none.
    #[error("takes no options, not `{0}`")]
    None(String),
    /// No name and value.
    #[error("takes options as name=value, not `{0}`")]
    Form(String),
    /// The player has no such option.
    #[error("takes {known}, not `{given}`")]
    Unknown {
        /// What was given.
        given: String,
        /// The options that it has.
        known: String,
    },
    /// The option is given twice.
    #[error("takes {0} once, not {0} twice")]
    Twice(&'static str),
    /// The option does not take this.
    #[error("takes {name} {takes}, not `{given}`")]
    Value {
        /// The option.
        name: &'static str,
        /// What it takes.
        takes: String,
        /// What was given.
        given: String,
    },
    /// The command is missing.
    #[error("takes a command behind the colon")]
    Command,
    /// The option is not for strangers.
    #[error("takes no {0} here")]
    Closed(&'static str),
    /// What was asked for cannot be built: a file cannot be read, a thread not be started.
    #[error("cannot have `{given}`: {cause}")]
    Build {
        /// What was given.
        given: String,
        /// Why not.
        cause: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[PlayerOption] = &[
        PlayerOption {
            name: "k",
            takes: Takes::Whole { least: 1, most: 1000 },
            default: Some("100"),
            help: "",
            strangers: Strangers::UpTo(50),
        },
        PlayerOption {
            name: "c",
            takes: Takes::Number { least: 0.0, most: 10.0 },
            default: Some("0.5"),
            help: "",
            strangers: Strangers::Closed,
        },
        PlayerOption {
            name: "plans",
            takes: SWITCH,
            default: Some("off"),
            help: "",
            strangers: Strangers::Open,
        },
        PlayerOption {
            name: "eval",
            takes: Takes::Program { word: "ab", prefix: "uci/" },
            default: Some("ab"),
            help: "",
            strangers: Strangers::Closed,
        },
    ];

    #[test]
    fn what_is_left_out_has_its_default() {
        let given = Given::judge(DECLARED, Some("plans=on,k=7")).unwrap();
        assert_eq!((given.whole("k"), given.number("c"), given.is_on("plans")), (Some(7), Some(0.5), true));
        assert_eq!((given.text("eval"), given.text("threads")), (Some("ab"), None));
        assert!(!Given::judge(DECLARED, None).unwrap().is_on("plans"));
    }

    #[test]
    fn whatever_is_out_of_range_or_shape_is_named_with_what_is_wanted() {
        for (text, wanted) in [
            ("k=0", "takes k from 1 to 1000, not `k=0`"),
            ("k=-1", "takes k from 1 to 1000, not `k=-1`"),
            ("k=1001", "takes k from 1 to 1000, not `k=1001`"),
            ("k=99999999999999999999999", "takes k from 1 to 1000, not `k=99999999999999999999999`"),
            ("k=", "takes k from 1 to 1000, not `k=`"),
            ("k=1.5", "takes k from 1 to 1000, not `k=1.5`"),
            ("c=NaN", "takes c from 0 to 10, not `c=NaN`"),
            ("c=inf", "takes c from 0 to 10, not `c=inf`"),
            ("c=-0.1", "takes c from 0 to 10, not `c=-0.1`"),
            ("c=1e400", "takes c from 0 to 10, not `c=1e400`"),
            ("plans=maybe", "takes plans as on or off, not `plans=maybe`"),
            ("eval=magic", "takes eval as ab or uci/COMMAND, not `eval=magic`"),
            ("eval=uci/", "takes eval as ab or uci/COMMAND, not `eval=uci/`"),
            ("k=1,k=1", "takes k once, not k twice"),
            ("", "takes options as name=value, not ``"),
            ("k=1,", "takes options as name=value, not ``"),
            ("k", "takes options as name=value, not `k`"),
            ("colour=red", "takes k, c, plans, eval, not `colour=red`"),
        ] {
            assert_eq!(Given::judge(DECLARED, Some(text)).unwrap_err().to_string(), wanted, "{text}");
        }
        let long = "x".repeat(1_000_000);
        assert!(Given::judge(DECLARED, Some(&long)).unwrap_err().to_string().len() < 500);
        assert!(matches!(Given::judge(&[], Some("")), Err(OptionError::None(_))));
    }

    #[test]
    fn strangers_choose_only_what_is_open_to_them() {
        let judge =
            |text| Given::judge_stranger(DECLARED, Some(text)).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(judge("k=50,plans=on"), Ok(()));
        assert_eq!(judge("k=51"), Err("takes k from 1 to 50, not `k=51`".to_owned()));
        assert_eq!(judge("c=1"), Err("takes no c here".to_owned()));
        assert_eq!(judge("eval=ab"), Err("takes no eval here".to_owned()));
    }

    #[test]
    fn who_must_stay_within_the_process_chooses_all_but_files_and_programs() {
        let judge = |text| {
            Given::judge_contained(DECLARED, Some(text)).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(judge("k=1000,c=1,plans=on"), Ok(()));
        assert_eq!(judge("k=1001"), Err("takes k from 1 to 1000, not `k=1001`".to_owned()));
        assert_eq!(judge("eval=uci/sh"), Err("takes no eval here".to_owned()));
    }
}
