//! `nebel play`: the web app, or with `--terminal` a game against the machine in the terminal.
//!
//! The person sees their own men and hears the umpire; the machine hears its own view. The
//! transcript is written as the game goes, so that nothing is lost when the terminal closes.

use std::{
    fs::{self, OpenOptions},
    io::{self, BufRead, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use nebel_kriegspiel::{
    Answer, Color, Event, File, Header, Over, OwnMen, Rank, Reason, Rules, Square, Transcript, Turn,
    side::name,
    words::{self, Listener, Words},
};
use nebel_players::{Budget, Choice, Game, MOST_NONSENSE, Player, agrees_to_draw, by_spec};
use nebel_search::Cancel;

use super::{
    typed,
    web::{self, WebArgs},
};
use crate::{
    args::{RulesArg, Side, StartArg},
    failure::Failure,
    input,
};

/// Play: in the browser, or with `--terminal` here.
#[derive(clap::Args, Debug)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    web: WebArgs,
    /// Play in the terminal.
    #[arg(long)]
    pub(super) terminal: bool,
    /// The side you play (in the terminal, as all below).
    #[arg(long = "as", value_name = "SIDE", default_value = "white", requires = "terminal")]
    side: Side,
    /// The player you meet: a level (1 to 8, or its name; `nebel players` lists them) or a player's spec [default: as in the web app].
    #[arg(long, value_name = "LEVEL|SPEC", requires = "terminal")]
    opponent: Option<String>,
    /// The seed of the machine's randomness [default: another one each time].
    #[arg(long, requires = "terminal")]
    seed: Option<u64>,
    /// Where the transcript goes [default: terminal/nebel-TIME.jsonl in the user's data folder].
    #[arg(long, value_name = "FILE", requires = "terminal")]
    save: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    start: StartArg,
}

const HELP: &str = "\
  e2e4     try a move: from-square, to-square; e7e8q promotes; castle with the king (e1g1)
  Nf3      the same in short: e4, Nf3, exd5, e8=Q, O-O, where only one of your men can be meant
  any?     ask whether a pawn of yours can capture, where the rules have the question
  board    show your men again
  draw     offer a draw
  resign   give up
  help     this list
An attempt that is refused costs nothing: try again. Refused targets are marked x on the board.";

/// Starts the web app, or plays one game here.
pub(crate) fn run(args: &PlayArgs) -> Result<(), Failure> {
    if !args.terminal {
        let is_for_terminal = args.rules.rules.is_some() || args.start.fen.is_some();
        return if is_for_terminal {
            Err(Failure::BadInput(
                "--rules and --fen go with --terminal; the web app asks for them".to_owned(),
            ))
        } else {
            web::run(&args.web)
        };
    }
    let rules = args.rules.or(Rules::icc())?;
    let start = args.start.position()?;
    let (spec, move_time) = opponent(args.opponent.as_deref())?;
    let mut opponent = by_spec(&spec).map_err(|error| Failure::input("--opponent", error))?;
    let human = args.side.color();
    let seed = args.seed.unwrap_or_else(rand::random);
    let game = Game { side: !human, rules: rules.clone(), start: start.clone(), seed };
    opponent.start(game).map_err(|fault| Failure::input("--opponent", fault))?;

    let mut header = Header::at(rules, start).dated(SystemTime::now());
    let names = ["human".to_owned(), opponent.spec()];
    let [white, black] = if human == Color::White {
        names
    } else {
        let [a, b] = names;
        [b, a]
    };
    (header.white, header.black) = (Some(white), Some(black));
    let saved = Saved::create(args.save.as_deref(), &header)?;
    TerminalGame { game: Transcript::new(header), human, opponent, move_time, saved }.play()
}

/// The spec of a level or a player, and the time that a level has for a turn.
pub(super) fn opponent(named: Option<&str>) -> Result<(String, Option<Duration>), Failure> {
    let levels = nebel_server::levels();
    let level = match named {
        None => levels.iter().find(|level| level.is_default),
        Some(name) => {
            let number = name.parse::<usize>().ok();
            let numbered = number.and_then(|number| levels.get(number.wrapping_sub(1)));
            numbered.or_else(|| levels.iter().find(|level| level.name.eq_ignore_ascii_case(name)))
        }
    };
    match (level, named) {
        (Some(level), _) => Ok((level.spec.to_owned(), Some(Duration::from_millis(level.move_ms)))),
        (None, Some(spec)) => Ok((spec.to_owned(), None)),
        (None, None) => Err(Failure::BadInput("--opponent: there is no level to begin with".to_owned())),
    }
}

/// One game at the terminal.
struct TerminalGame {
    game: Transcript,
    human: Color,
    opponent: Box<dyn Player>,
    /// What the opponent has for a turn; as long as it likes otherwise.
    move_time: Option<Duration>,
    saved: Saved,
}

impl TerminalGame {
    fn play(mut self) -> Result<(), Failure> {
        let rules = self.game.header().rules.name.clone();
        let mut out = io::stdout();
        writeln!(
            out,
            "You play {} under the rules \"{rules}\". Type help for help.",
            words::side(self.human)
        )?;
        self.show_board()?;
        while self.game.umpire().over().is_none() {
            if self.game.umpire().to_move() == self.human {
                let Some(line) = self.ask_human()? else {
                    writeln!(out, "\nThe game is not finished; it is saved in {}.", self.saved.place())?;
                    return Ok(());
                };
                self.take(line.trim())?;
            } else {
                self.opponent_turn()?;
            }
        }
        if let Some(over) = self.game.umpire().over()
            && self.game.events().is_empty()
        {
            writeln!(out, "{}", words::end(over, Listener::Side(self.human)))?;
        }
        writeln!(out, "The game is saved in {}.", self.saved.place())?;
        Ok(())
    }

    /// A line from the person; `None` at the end of input.
    fn ask_human(&self) -> Result<Option<String>, Failure> {
        let refused = self.refused();
        let reminder = if refused.is_empty() { String::new() } else { format!(" (refused: {refused})") };
        let mut out = io::stdout();
        write!(out, "{}{reminder}> ", name(self.human))?;
        out.flush()?;
        let mut line = Vec::new();
        let length = io::Read::take(io::stdin().lock(), 1 << 16).read_until(b'\n', &mut line)?;
        Ok((length > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    /// What was refused in this turn.
    fn refused(&self) -> String {
        let refused = self.game.umpire().turn().refused().iter().map(ToString::to_string);
        refused.collect::<Vec<_>>().join(" ")
    }

    fn take(&mut self, line: &str) -> Result<(), Failure> {
        match line {
            "" => Ok(()),
            "help" | "?" => Ok(writeln!(io::stdout(), "{HELP}")?),
            "board" => self.show_board(),
            "draw" => self.offer_draw(),
            "resign" | "quit" | "exit" => self.lose(self.human, Reason::Resignation),
            "any" | "any?" => self.put("any?"),
            _ => match typed::read(line, self.game.view(self.human).own()) {
                Ok(attempt) => self.put(&attempt),
                Err(why) => Ok(writeln!(io::stdout(), "{why}")?),
            },
        }
    }

    fn opponent_turn(&mut self) -> Result<(), Failure> {
        let until = |time| Budget::until(Instant::now() + time, Cancel::default());
        match self.opponent.choose(&self.move_time.map_or_else(Budget::unlimited, until)) {
            Ok(Choice::Resign) => self.lose(!self.human, Reason::Resignation),
            Ok(Choice::Try(attempt)) => self.put(&attempt.to_string()),
            Ok(Choice::Ask) => self.put("any?"),
            Err(_) => self.lose(!self.human, Reason::Forfeit),
        }?;
        let recent = self.game.events().iter().rev();
        let nonsense = recent.take_while(|event| event.is_nonsense()).count();
        if nonsense > MOST_NONSENSE as usize { self.lose(!self.human, Reason::Forfeit) } else { Ok(()) }
    }

    fn put(&mut self, text: &str) -> Result<(), Failure> {
        let event = self.game.hear(text).map_err(|error| Failure::Run(error.into()))?.clone();
        self.announce(&event)
    }

    /// The machine says at once whether it agrees.
    fn offer_draw(&mut self) -> Result<(), Failure> {
        if agrees_to_draw(&self.game, !self.human) {
            self.end(None, Over::draw(Reason::Agreement))
        } else {
            Ok(writeln!(io::stdout(), "Your offer is declined. It is still your turn.")?)
        }
    }

    fn lose(&mut self, loser: Color, reason: Reason) -> Result<(), Failure> {
        self.end(Some(loser), Over::lost_by(loser, reason))
    }

    fn end(&mut self, by: Option<Color>, over: Over) -> Result<(), Failure> {
        let event = self.game.end(by, over).map_err(|error| Failure::Run(error.into()))?.clone();
        self.announce(&event)
    }

    /// Tells each side its share, and saves the whole.
    fn announce(&mut self, event: &Event) -> Result<(), Failure> {
        let rules = self.game.header().rules.clone();
        self.saved.append(&event.to_json(&rules))?;
        if let Some(heard) = event.heard_by(!self.human, &rules) {
            // An opponent that cannot hear any more will not be able to choose either.
            let _ = self.opponent.hear(&heard);
        }
        let Some(heard) = event.heard_by(self.human, &rules) else {
            return Ok(());
        };
        let words = Words::of(&heard, Listener::Side(self.human), &rules).text();
        writeln!(io::stdout(), "{words}{}", self.advice(event))?;
        let moved_back = event.announcement().is_some() && event.by() == Some(!self.human);
        if moved_back && self.game.umpire().over().is_none() { self.show_board() } else { Ok(()) }
    }

    /// What the person may do after a refusal.
    fn advice(&self, event: &Event) -> &'static str {
        match event {
            Event::Attempt { by, answer: Answer::Illegal, .. } if *by == self.human => {
                " Try something else; it is still your turn."
            }
            Event::Attempt { by, answer: Answer::Nonsense, .. } if *by == self.human => {
                " It could not be legal whatever your opponent has."
            }
            _ => "",
        }
    }

    fn show_board(&self) -> Result<(), Failure> {
        let men = OwnMen::of(self.game.umpire().position(), self.human);
        let turn = self.game.umpire().turn();
        let refused = if self.game.umpire().to_move() == self.human { turn } else { &Turn::default() };
        Ok(write!(io::stdout(), "{}", draw(&men, refused))?)
    }
}

/// The own men from their own side, refused targets marked.
fn draw(men: &OwnMen, turn: &Turn) -> String {
    let order = |index: u32| {
        if men.color() == Color::White { index } else { 7 - index }
    };
    let man = |square| match men.role_at(square) {
        Some(role) => role.of(men.color()).char(),
        None if turn.refused().iter().any(|attempt| attempt.to == square) => 'x',
        None => '.',
    };
    let row = |label: char, cells: &dyn Fn(File) -> char| {
        let cells = (0..8).flat_map(|file| [' ', cells(File::new(order(file)))]);
        [' ', ' ', label].into_iter().chain(cells).chain(['\n']).collect::<String>()
    };
    let ranks = (0..8).rev().map(|rank| Rank::new(order(rank)));
    let board: String =
        ranks.map(|rank| row(rank.char(), &|file| man(Square::from_coords(file, rank)))).collect();
    board + &row(' ', &File::char)
}

/// The transcript on disk, appended to as the game goes.
struct Saved {
    path: PathBuf,
    file: fs::File,
}

impl Saved {
    fn create(path: Option<&Path>, header: &Header) -> Result<Saved, Failure> {
        let path = path.map_or_else(default_path, |path| Ok(path.to_path_buf()))?;
        // An older game must not be overwritten.
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = file.map_err(|error| Failure::input(&input::place(&path), error))?;
        let mut saved = Saved { path, file };
        saved.append(&header.to_json(None))?;
        Ok(saved)
    }

    fn append(&mut self, line: &str) -> Result<(), Failure> {
        Ok(writeln!(self.file, "{line}")?)
    }

    fn place(&self) -> String {
        input::place(&self.path)
    }
}

/// A new file in the folder of this user's games.
fn default_path() -> Result<PathBuf, Failure> {
    let no_home = || Failure::BadInput("--save: needed, for there is no home directory".to_owned());
    let folder = web::data_of_user().ok_or_else(no_home)?.join("terminal");
    fs::create_dir_all(&folder).map_err(|error| Failure::input(&input::place(&folder), error))?;
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    // Two games may begin in one second.
    let names = (0..1000).map(|number| {
        let tail = if number == 0 { String::new() } else { format!("-{number}") };
        folder.join(format!("nebel-{seconds}{tail}.jsonl"))
    });
    let mut free = names.filter(|path| !path.exists());
    free.next().ok_or_else(|| Failure::BadInput(format!("--save: {} is full", input::place(&folder))))
}
