//! A tree-searching player under observation: what it reckoned with before each attempt, what it was told, and how many
//! nodes it valued.

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Announcement, Answer, Event, Tries, ViewEvent};
use nebel_players::{
    Budget, Choice, Fault, Game, Player,
    favini::{Mcts, Odds},
};

/// The player, and what was seen of it.
pub(crate) struct Watched {
    player: Mcts,
    tried: Option<Odds>,
    /// What it reckoned with, and what the umpire said (`None`: illegal).
    pub(crate) answers: Vec<(Odds, Option<Announcement>)>,
    /// Nodes valued, and the time they took.
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

impl Watched {
    pub(crate) fn new(player: Mcts) -> Watched {
        Watched { player, tried: None, answers: Vec::new(), nodes: 0, time: Duration::ZERO }
    }
}

/// Whether an announcement tells the other side of a pawn capture; `None` if it would not say.
pub(crate) fn gives_tries(said: &Announcement) -> Option<bool> {
    said.tries.map(Tries::are_there)
}

impl Player for Watched {
    fn spec(&self) -> String {
        self.player.spec()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.tried = None;
        self.player.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        if let Event::Attempt { said: Some(_), answer, .. } = **event
            && let Some(odds) = self.tried.take()
        {
            match answer {
                Answer::Moved(said) => self.answers.push((odds, Some(said))),
                Answer::Illegal => self.answers.push((odds, None)),
                Answer::Nonsense => {}
            }
        }
        self.player.hear(event)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let begun = Instant::now();
        let choice = self.player.choose(budget);
        self.time += begun.elapsed();
        self.nodes += self.player.last_effort().0;
        if let Ok(Choice::Try(attempt)) = choice {
            self.tried = self.player.odds(attempt);
        }
        choice
    }
}
