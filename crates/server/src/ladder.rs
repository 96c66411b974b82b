//! The games between the levels that come with the program: what their ratings are from, and what the page of results shows from
//! the first. `ladder.json` is the last line of the tournament of `docs/web.md`, with its command.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The tournament of the levels.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Ladder {
    /// The command that repeats it.
    command: String,
    /// The players.
    players: Vec<String>,
    /// One for each player, `random` being 0.
    elo: Vec<f64>,
    /// Their 95% intervals.
    intervals: Vec<[f64; 2]>,
    /// `table[a][b]`: a's wins, draws and losses against b.
    table: Vec<Vec<[u32; 3]>>,
}

static SHIPPED: LazyLock<Ladder> =
    LazyLock::new(|| serde_json::from_str(include_str!("ladder.json")).unwrap_or_else(|_| Ladder::empty()));

impl Ladder {
    /// That which comes with the program.
    pub(crate) fn shipped() -> &'static Ladder {
        &SHIPPED
    }

    const fn empty() -> Ladder {
        let none = Vec::new();
        Ladder {
            command: String::new(),
            players: none,
            elo: Vec::new(),
            intervals: Vec::new(),
            table: Vec::new(),
        }
    }

    /// How strong a player is, if it took part.
    pub(crate) fn rating(&self, spec: &str) -> Option<i32> {
        let place = self.players.iter().position(|player| player == spec)?;
        self.elo.get(place).map(|elo| elo.round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_tournament_is_whole() {
        let Ladder { command, players, elo, intervals, table } = Ladder::shipped();
        assert!(command.starts_with("nebel tournament random "), "{command}");
        assert!(players.iter().all(|player| command.contains(player.as_str())), "{command}");
        let sizes = [elo.len(), intervals.len(), table.len()];
        assert_eq!(sizes, [players.len(); 3]);
        for (a, row) in table.iter().enumerate() {
            assert_eq!(row.len(), players.len());
            for (b, [wins, draws, losses]) in row.iter().enumerate() {
                assert_eq!(table[b][a], [*losses, *draws, *wins], "{} and {}", players[a], players[b]);
            }
        }
    }
}
