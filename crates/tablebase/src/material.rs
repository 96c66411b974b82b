//! Endings: which white men besides the king stand against the bare black king.

use std::fmt;
use std::str::FromStr;

use shakmaty::Role;
use thiserror::Error;

/// White's men besides the king, strongest first; the black king is bare.
///
/// ```
/// use nebel_tablebase::Ending;
/// let ending: Ending = "KNBK".parse()?;
/// assert_eq!(ending.to_string(), "KBNK");
/// # Ok::<(), nebel_tablebase::EndingError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ending {
    men: Vec<Role>,
}

/// Why a text names no ending.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EndingError {
    /// Not of the form K…K.
    #[error("`{0}` is no ending: write the white men, then the bare king, as in KRK or KBNK")]
    Syntax(String),
    /// Tables hold at most two men besides the king.
    #[error("`{0}` has too many men: tables hold one or two besides the king")]
    TooMany(String),
}

/// The largest number of men besides the king that a table can hold.
pub const MAX_MEN: usize = 2;

impl Ending {
    /// The ending with these men; the order does not matter, kings are ignored.
    pub fn new(men: impl IntoIterator<Item = Role>) -> Ending {
        let mut men: Vec<Role> = men.into_iter().filter(|&role| role != Role::King).collect();
        men.sort_unstable_by(|a, b| b.cmp(a));
        Ending { men }
    }

    /// The men, strongest first.
    pub fn men(&self) -> &[Role] {
        &self.men
    }

    /// Whether a pawn is among the men, so that only the left–right mirror is a symmetry.
    pub fn has_pawn(&self) -> bool {
        self.men.contains(&Role::Pawn)
    }

    /// Whether White can never mate here: no men, or a single knight or bishop.
    pub fn is_dead(&self) -> bool {
        matches!(self.men.as_slice(), [] | [Role::Bishop | Role::Knight])
    }

    /// Whether the table is built in minutes at most, all it leads to included: everything but a pawn with another man.
    pub fn is_quick(&self) -> bool {
        self.men.len() <= MAX_MEN && !(self.has_pawn() && self.men.len() > 1)
    }

    /// Every ending that a promotion or a capture leads to, this one last, each after those it needs;
    /// dead endings are left out.
    pub fn closure(&self) -> Vec<Ending> {
        let mut list = Vec::new();
        self.collect_closure(&mut list);
        list
    }

    /// The endings one promotion away.
    pub fn promotions(&self) -> Vec<Ending> {
        let Some(pawn) = self.men.iter().position(|&role| role == Role::Pawn) else {
            return Vec::new();
        };
        [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
            .map(|role| {
                let mut men = self.men.clone();
                men[pawn] = role;
                Ending::new(men)
            })
            .into()
    }

    /// The endings left when Black takes one man.
    pub fn captures(&self) -> Vec<Ending> {
        let mut left: Vec<Ending> = (0..self.men.len())
            .map(|gone| {
                Ending::new(self.men.iter().enumerate().filter(|&(i, _)| i != gone).map(|(_, &role)| role))
            })
            .collect();
        left.dedup();
        left
    }

    fn collect_closure(&self, list: &mut Vec<Ending>) {
        if self.is_dead() || list.contains(self) {
            return;
        }
        for ending in self.captures().iter().chain(&self.promotions()) {
            ending.collect_closure(list);
        }
        list.push(self.clone());
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "K")?;
        for role in &self.men {
            write!(f, "{}", role.upper_char())?;
        }
        write!(f, "K")
    }
}

impl FromStr for Ending {
    type Err = EndingError;

    fn from_str(text: &str) -> Result<Ending, EndingError> {
        let syntax = || EndingError::Syntax(text.chars().take(40).flat_map(char::escape_debug).collect());
        let upper = text.trim().to_ascii_uppercase();
        let men = upper.strip_prefix('K').and_then(|rest| rest.strip_suffix('K')).ok_or_else(syntax)?;
        let men: Vec<Role> = men
            .chars()
            .map(|c| Role::from_char(c).filter(|&r| r != Role::King).ok_or_else(syntax))
            .collect::<Result<_, _>>()?;
        match men.len() {
            0 => Err(syntax()),
            1..=MAX_MEN => Ok(Ending::new(men)),
            _ => Err(EndingError::TooMany(text.chars().take(40).flat_map(char::escape_debug).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closures_list_what_is_needed_first() {
        let names = |text: &str| {
            text.parse::<Ending>().unwrap().closure().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names("KRK"), ["KRK"]);
        assert_eq!(names("KPK"), ["KQK", "KRK", "KPK"]);
        assert_eq!(names("KRRK"), ["KRK", "KRRK"]);
        assert_eq!(names("KBNK"), ["KBNK"]);
        assert_eq!(names("KQPK").last().unwrap(), "KQPK");
    }

    #[test]
    fn bad_names_are_refused() {
        for text in ["", "K", "KK", "KXK", "RK", "KRKR", "krk\u{e9}"] {
            assert!(matches!(text.parse::<Ending>(), Err(EndingError::Syntax(_))), "{text}");
        }
        assert!(matches!("KQRBK".parse::<Ending>(), Err(EndingError::TooMany(_))));
        assert!("krk".parse::<Ending>().is_ok());
    }
}
