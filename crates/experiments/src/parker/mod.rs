//! Parker, Nau and Subrahmanian (2005), *Game-Tree Search with Combinatorially Large Belief States*: the six pairings
//! of Figures 2 and 3 under Berkeley rules, our table beside theirs, material by move, the share of last-observation
//! boards of Figure 4, and the assumptions of its analyses measured.
//!
//! The paper gave 30 seconds to each attempt on a 2.6 GHz Xeon and GNU Chess; here the time is the
//! caller's, and so is who values the boards. Everything else is as in section 5: colours alternate, the paper's pool
//! and rule.

pub mod assumptions;
pub mod material;

use std::fmt::Write as _;

use nebel_arena::{
    game::{Contestant, MatchTerms, play},
    runner::{Place, Progress, Run, RunError},
    schedule::Schedule,
    score::Score,
    statistics::elo::{elo, games_to_decide},
    store::{Row, Store, Versions},
    time::{TimeControl, Times},
};
use nebel_kriegspiel::{Chess, Rules, ViewEvent};
use nebel_players::{
    Budget, Choice, Fault, Game, Player,
    parker::{Sampling, Source},
};

use self::assumptions::Assumptions;
use crate::{
    charts::{self, ChartLine, Scale},
    page::{Page, elo_text, percent},
};

/// A pairing of the paper, with its wins, losses, draws (in percent) and number of games.
struct Pairing {
    first: &'static str,
    second: &'static str,
    paper: [f64; 3],
    games: u32,
}

/// Figures 2 and 3.
const PAIRINGS: [Pairing; 6] = [
    Pairing { first: "los", second: "random", paper: [39.0, 0.0, 61.0], games: 559 },
    Pairing { first: "aosp", second: "random", paper: [63.0, 0.0, 37.0], games: 560 },
    Pairing { first: "hs", second: "random", paper: [65.0, 0.5, 35.0], games: 558 },
    Pairing { first: "aosp", second: "los", paper: [31.0, 0.0, 69.0], games: 190 },
    Pairing { first: "hs", second: "los", paper: [38.0, 0.5, 61.0], games: 190 },
    Pairing { first: "hs", second: "aosp", paper: [13.3, 10.7, 76.0], games: 1669 },
];

/// How the experiment is run.
#[derive(Clone, Debug)]
pub struct Parker {
    /// Games for each pairing.
    pub games: u32,
    /// How long players may think.
    pub time: TimeControl,
    /// Where games are played.
    pub place: Place,
    /// A game is drawn after so many moves of each side; Berkeley games need not end.
    pub max_moves: u32,
    /// The seed of everything.
    pub seed: u64,
    /// Which games of earlier runs count.
    pub versions: Versions,
    /// Options for the sampling players, such as `eval=uci/gnuchess -u`.
    pub options: Option<String>,
}

impl Parker {
    /// Plays what the store does not hold yet, and writes the page.
    pub fn run(&self, store: &Store, mut report: impl FnMut(&str, Progress<'_>)) -> Result<Page, RunError> {
        let mut page = Page { markdown: self.introduction(), files: Vec::new() };
        let (mut drawings, mut closest) = (String::new(), String::new());
        for pairing in &PAIRINGS {
            let name = format!("{} against {}", pairing.first, pairing.second);
            let run = self.pairing(pairing);
            let rows = run.play(store, |progress| report(&name, progress))?;
            let tally = &run.table(&rows)[0][1];
            page.markdown.push_str(&table_row(pairing, tally));
            if (pairing.first, pairing.second) == CLOSEST {
                closest = to_decide(tally) + &self.assumptions(&rows, &mut page.files);
            }
            let curves = material::curves(&rows, &self.spec(pairing.first));
            let names = [pairing.first, pairing.second]
                .map(|player| ["White", "Black"].map(|colour| format!("{player} with {colour}")));
            let lines: Vec<ChartLine> = names
                .into_iter()
                .flatten()
                .zip(&curves)
                .map(|(name, curve)| ChartLine {
                    name,
                    points: curve.points().map(|(x, y, _)| (x as f64, y)).collect(),
                })
                .collect();
            let file = format!("material-{}-{}.svg", pairing.first, pairing.second);
            let title = format!("Material, {name}");
            if let Some(svg) = charts::lines(&title, "move", "average material", Scale::Linear, &lines) {
                // Writing into a String cannot fail.
                let _ = writeln!(drawings, "\n![material by move, {name}]({file})");
                page.files.push((file, svg));
            }
        }
        page.markdown.push_str(&closest);
        page.markdown.push_str(&self.shares(&mut page.files));
        page.markdown.push_str("\n## Material by move\n\nAverages over the games still running at a move.\n");
        page.markdown.push_str(&drawings);
        Ok(page)
    }

    /// The assumptions of the paper's analyses, measured on some of these games.
    fn assumptions(&self, rows: &[Row], files: &mut Vec<(String, String)>) -> String {
        let rows = &rows[..rows.len().min(GAMES_WATCHED as usize)];
        let measured = Assumptions::of(rows, self.seed);
        files.push(("assumptions.csv".to_owned(), measured.csv()));
        format!(
            "\n## The assumptions of analyses 1 and 2\n\nBoth sides' views of {} of these games. b: moves of the other side in a \
             position that agrees with everything heard; one in c of them agrees with what is heard next, so that beliefs grow by \
             b/c a move, less what refusals and own moves exclude, and less what runs together (how many histories lead to one \
             position, over a single move). Last: how many boards drawn by the last observation alone agree with everything, as \
             long as all positions that do were known (at most 100,000).\n\n{}",
            rows.len(),
            measured.table()
        )
    }

    /// Figure 4: how much of HS's sample are boards of the last observation, by move.
    fn shares(&self, files: &mut Vec<(String, String)>) -> String {
        let games = self.games.min(GAMES_WATCHED);
        let mut sums: Vec<(f64, u32)> = Vec::new();
        for number in 0..games {
            let players =
                [(); 2].map(|()| Sampling::new(Source::Hs, self.options.as_deref()).map(Watched::new));
            let [Ok(mut white), Ok(mut black)] = players else { return String::new() };
            let seed = self.seed.wrapping_add(u64::from(number));
            let [first, second] = [0, 1].map(|side| seed.wrapping_mul(2).wrapping_add(side));
            let time = self.time;
            let white_seat = Contestant { player: &mut white, seed: first, time };
            let black_seat = Contestant { player: &mut black, seed: second, time };
            play(&self.terms(), white_seat, black_seat, |_| {});
            for (at, share) in white.shares.into_iter().chain(black.shares) {
                if sums.len() <= at {
                    sums.resize(at + 1, (0.0, 0));
                }
                sums[at].0 += share;
                sums[at].1 += 1;
            }
        }
        let points = sums.iter().enumerate().filter(|(_, (_, count))| *count > 0);
        let points = points.map(|(at, (sum, count))| (at as f64, 100.0 * sum / f64::from(*count))).collect();
        let line = ChartLine { name: "last observation".to_owned(), points };
        let title = "Boards of the last observation in HS's sample";
        let Some(svg) = charts::lines(title, "move", "percent", Scale::Linear, &[line]) else {
            return String::new();
        };
        files.push(("last-observation.svg".to_owned(), svg));
        format!(
            "\n## Share of last-observation boards (Figure 4)\n\n{games} games of `hs` against itself.\n\n\
             ![share of last-observation boards by move](last-observation.svg)\n"
        )
    }

    fn terms(&self) -> MatchTerms {
        MatchTerms { rules: Rules::berkeley(), start: Chess::new(), max_moves: Some(self.max_moves) }
    }

    fn pairing(&self, pairing: &Pairing) -> Run {
        let [first, second] = [pairing.first, pairing.second].map(|player| self.spec(player));
        let schedule = Schedule::of_two(&first, &second, self.games, vec![Chess::new()], self.seed);
        let times = Times::alike(self.time);
        let terms = self.terms();
        Run { schedule, terms, times, place: self.place.clone(), sprt: None, versions: self.versions }
    }

    fn spec(&self, player: &str) -> String {
        match &self.options {
            Some(options) if player != "random" => format!("{player}:{options}"),
            _ => player.to_owned(),
        }
    }

    fn introduction(&self) -> String {
        format!(
            "# Parker, Nau and Subrahmanian (2005), Figures 2 and 3\n\n\
             Berkeley announcements, {} games a pairing, time: {}, at most {} moves, seed {}. The paper gave 30 s to \
             each attempt and valued boards with GNU Chess; here {}.\n\n\
             Percentages with 95% intervals; \"bare\" are draws in which one side was left with a bare king and the \
             other could have mated.\n\n\
             | pairing | paper: win / loss / draw | ours: win | loss | draw | bare | Elo (95%) |\n\
             |---|---|---|---|---|---|---|\n",
            self.games,
            self.time,
            self.max_moves,
            self.seed,
            self.options.as_ref().map_or_else(
                || "a built-in alpha-beta search values them".to_owned(),
                |options| format!("the players have the options `{options}`")
            ),
        )
    }
}

/// The pairing that the paper's argument turns on, and its difference there.
const CLOSEST: (&str, &str) = ("hs", "aosp");
const CLOSEST_ELO: f64 = 9.0;

fn to_decide(score: &Score) -> String {
    let (Some(elo), Some(games)) = (elo(score), games_to_decide(score, CLOSEST_ELO)) else {
        return String::new();
    };
    let says = match elo.interval {
        [low, _] if low > 0.0 => "HS is the stronger",
        [_, high] if high < 0.0 => "AOSP is the stronger",
        _ => "undecided",
    };
    format!(
        "\nHS against AOSP: {says} after {} games. The paper's difference is {CLOSEST_ELO} Elo; to tell it from none in four of \
         five matches with 5% risk takes {games} games that scatter as these do.\n",
        score.games()
    )
}

/// Games of HS against itself in which its samples are watched.
const GAMES_WATCHED: u32 = 10;

/// HS, with the share of last-observation boards in each of its samples.
struct Watched {
    player: Sampling,
    moves: usize,
    shares: Vec<(usize, f64)>,
}

impl Watched {
    fn new(player: Sampling) -> Watched {
        Watched { player, moves: 1, shares: Vec::new() }
    }
}

impl Player for Watched {
    fn spec(&self) -> String {
        self.player.spec()
    }

    fn allow(&mut self, time: TimeControl) {
        self.player.allow(time);
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.player.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        let is_black_move =
            event.announcement().is_some() && event.by() == Some(nebel_kriegspiel::Color::Black);
        self.moves += usize::from(is_black_move);
        self.player.hear(event)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let choice = self.player.choose(budget);
        let sampled = self.player.sampled();
        let total = sampled.consistent + sampled.last_observation;
        if total > 0 {
            self.shares.push((self.moves, sampled.last_observation as f64 / total as f64));
        }
        choice
    }
}

fn table_row(pairing: &Pairing, score: &Score) -> String {
    let share = |count: u32| percent(count, score.games());
    let [win, loss, draw] = pairing.paper;
    format!(
        "| {} v {} | {win} / {loss} / {draw} ({} games) | {} | {} | {} | {} | {} |\n",
        pairing.first,
        pairing.second,
        pairing.games,
        share(score.wins),
        share(score.losses),
        share(score.draws),
        score.bare_king_draws,
        elo_text(score),
    )
}
