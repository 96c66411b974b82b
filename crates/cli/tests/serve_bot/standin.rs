//! A server on this machine that speaks the bot API of kriegspiel.org as its guide documents it, around our umpire.
//!
//! It tells what that site tells and no more: no directions of a double check or of mate, no pawn captures among the allowed moves where the tries
//! announced rule them out, and under the English rules all attempts again after a pawn's try was refused.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard},
    thread,
    time::Instant,
};

use nebel_kriegspiel::{
    Announcement, Answer, AskAnswer, Attempt, Bitboard, Color, Direction, Event, Header, Kind, Rules,
    Transcript, Tries, rules::TriesAnnounced, side::name, words,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

/// What the site gives a bot.
pub(crate) const TOKEN: &str = "ksbot_12ab.34cd";

/// The site, with one game between the bot and a visitor who moves at random.
pub(crate) struct Standin {
    pub(crate) game: Transcript,
    variant: &'static str,
    bot: Color,
    random: Xoshiro256PlusPlus,
    /// Games that the list holds besides.
    pub(crate) others: Vec<Value>,
    /// Answers that are not as documented, by their paths.
    pub(crate) odd: Vec<(&'static str, String)>,
    /// What was asked for, with what body, by whom, and when.
    pub(crate) asked: Vec<Asked>,
    pub(crate) resigned: Vec<String>,
    /// Each of the first requests is answered with this status instead, and this wish in seconds.
    pub(crate) busy: Vec<(u16, Option<u64>)>,
    /// The game ends after so many events.
    pub(crate) most_events: usize,
}

/// A request.
pub(crate) struct Asked {
    pub(crate) what: String,
    pub(crate) body: Value,
    pub(crate) head: String,
    pub(crate) when: Instant,
}

impl Standin {
    /// Begins a game and serves it; returns the address too.
    pub(crate) fn start(variant: &'static str, rules: Rules, bot: Color) -> (Arc<Mutex<Standin>>, String) {
        let standin = Arc::new(Mutex::new(Standin {
            game: Transcript::new(Header::new(rules)),
            variant,
            bot,
            random: Xoshiro256PlusPlus::seed_from_u64(7),
            others: Vec::new(),
            odd: Vec::new(),
            asked: Vec::new(),
            resigned: Vec::new(),
            busy: Vec::new(),
            most_events: 160,
        }));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let site = Arc::clone(&standin);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                answer(stream, &mut lock(&site));
            }
        });
        (standin, address)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.resigned.iter().any(|id| id == "g1")
            || self.game.umpire().over().is_some()
            || self.game.events().len() > self.most_events
    }

    /// The visitor asks where it can, and tries attempts by lot until one is legal.
    fn visitor_moves(&mut self) {
        while !self.is_over() && self.game.umpire().to_move() != self.bot {
            let view = self.game.view(!self.bot);
            let attempts = view.own().sensible_attempts();
            let text = if view.own().may_ask() && self.random.random_ratio(1, 2) {
                "any?".to_owned()
            } else {
                attempts[self.random.random_range(0..attempts.len())].to_string()
            };
            self.game.hear(&text).unwrap();
        }
    }

    fn answer(&mut self, what: &str, body: &Value) -> (u16, Value) {
        self.visitor_moves();
        let is_turn = !self.is_over() && self.game.umpire().to_move() == self.bot;
        match what {
            "POST /auth/bots/register" => (
                201,
                json!({"bot_id": "b1", "username": body["username"], "api_token": TOKEN, "message": "Save it"}),
            ),
            "POST /bots/profile" => (200, json!({"ok": true})),
            "POST /game/create" => (409, error("BOT_ALREADY_HAS_OPEN_GAME", "A bot has one open game")),
            "GET /game/mine/active" => {
                let mut games = self.others.clone();
                if !self.is_over() {
                    let players = json!({"username": "nebel", "connected": true, "role": "bot", "elo": 1200});
                    games.push(json!({"game_id": "g1", "game_code": "ABCDEF", "rule_variant": self.variant, "state": "active",
                                      "opponent_type": "bot", "white": players, "black": players}));
                }
                (200, json!({"games": games}))
            }
            "GET /game/g1/state" => (200, self.state(is_turn)),
            "POST /game/g1/move" if is_turn => {
                let uci = body["uci"].as_str().unwrap().to_owned();
                assert!(self.allowed().contains(&uci.parse().unwrap()), "{uci} is not allowed");
                let event = self.game.hear(&uci).unwrap();
                (
                    200,
                    json!({"move_done": event.announcement().is_some(), "announcement": "", "game_over": false}),
                )
            }
            "POST /game/g1/ask-any" if is_turn => {
                let event = self.game.hear("any?").unwrap();
                assert!(!event.is_nonsense(), "only where it can be asked");
                (200, json!({"move_done": false, "has_any": true, "announcement": ""}))
            }
            _ => match what.strip_prefix("POST /game/").and_then(|path| path.strip_suffix("/resign")) {
                Some(id) => {
                    self.resigned.push(id.to_owned());
                    (200, json!({"result": {"winner": "white", "reason": "resignation"}}))
                }
                None => (404, error("GAME_NOT_FOUND", "There is no such game")),
            },
        }
    }

    fn state(&self, is_turn: bool) -> Value {
        let moves: Vec<String> =
            if is_turn { self.allowed().iter().map(ToString::to_string).collect() } else { vec![] };
        let mut actions = if is_turn { vec!["move"] } else { vec![] };
        if is_turn && self.game.view(self.bot).own().may_ask() {
            actions.push("ask_any");
        }
        let clock = json!({"white_remaining": 302.4, "black_remaining": 300.0, "active_color": "white"});
        json!({"game_id": "g1", "state": if self.is_over() { "completed" } else { "active" },
               "turn": name(self.game.umpire().to_move()), "move_number": 1, "your_color": name(self.bot),
               "your_fen": "8/8/8/8/8/8/8/8 w - - 0 1", "possible_actions": actions, "allowed_moves": moves,
               "scoresheet": self.scoresheet(), "referee_log": [], "referee_turns": [], "result": null, "clock": clock})
    }

    /// What the bot may try.
    fn allowed(&self) -> Vec<Attempt> {
        let view = self.game.view(self.bot);
        let own = view.own();
        let tries =
            view.events().iter().rev().find_map(|event| event.announcement()).and_then(|said| said.tries);
        let is_open = |attempt: &Attempt| match tries {
            _ if !own.men().is_pawn_capture(*attempt) => true,
            Some(Tries::From(squares)) => squares.contains(attempt.from),
            Some(tries) => tries.are_there(),
            None => true,
        };
        let again = if own.rules().tries == TriesAnnounced::AskOneTry { own.turn().refused() } else { &[] };
        own.sensible_attempts().into_iter().chain(again.iter().copied()).filter(is_open).collect()
    }

    /// What the bot heard, in the site's form.
    fn scoresheet(&self) -> Value {
        let rules = &self.game.header().rules;
        let mut turns = vec![json!({"turn": 1, "white": [], "black": []})];
        for event in self.game.events() {
            let Some(heard) = event.heard_by(self.bot, rules) else { continue };
            let by = event.by().unwrap();
            let add = |turns: &mut Vec<Value>, side, entry| {
                turns.last_mut().unwrap()[name(side)].as_array_mut().unwrap().push(entry);
            };
            add(&mut turns, by, entry(&heard, by == self.bot));
            if let Some(announcement) = event.announcement() {
                if by == Color::Black {
                    turns.push(json!({"turn": turns.len() + 1, "white": [], "black": []}));
                }
                if let Some(tries) = announcement.tries {
                    let text = tries_of(tries);
                    add(
                        &mut turns,
                        !by,
                        json!({"kind": "status", "actor": "self", "message": text, "messages": [text]}),
                    );
                }
            }
        }
        json!({"viewer_color": name(self.bot), "last_move_number": turns.len(), "turns": turns})
    }
}

/// The site at rest.
pub(crate) fn lock(standin: &Mutex<Standin>) -> MutexGuard<'_, Standin> {
    standin.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn error(code: &str, message: &str) -> Value {
    json!({"error": {"code": code, "message": message, "details": {}}})
}

/// An event as the site writes it.
fn entry(event: &Event, is_own: bool) -> Value {
    let (kind, question, messages) = match event {
        Event::Ask { answer, .. } => {
            let said = if *answer == AskAnswer::Yes { "Has pawn captures" } else { "No pawn captures" };
            ("ask_any", "ASK_ANY", vec![said.to_owned()])
        }
        Event::Attempt { answer: Answer::Moved(announcement), .. } => {
            let kind = if announcement.capture.is_some() { "capture" } else { "move" };
            (kind, "COMMON", moved(announcement))
        }
        Event::Attempt { answer: Answer::Illegal, .. } => {
            ("illegal_move", "COMMON", vec!["Illegal move".to_owned()])
        }
        Event::Attempt { .. } | Event::End { .. } => ("illegal_move", "COMMON", vec!["Nonsense".to_owned()]),
    };
    let uci = match event {
        Event::Attempt { said: Some(said), .. } if is_own => Some(said.to_string()),
        _ => None,
    };
    let actor = if is_own { "self" } else { "opponent" };
    json!({"kind": kind, "actor": actor, "prompt": "Move attempt", "message": messages.join(" · "), "messages": messages,
           "move_uci": uci, "question_type": question})
}

fn moved(announcement: &Announcement) -> Vec<String> {
    let capture = announcement.capture.map(|capture| {
        let what = match capture.kind {
            Some(Kind::Pawn) => "Pawn captured",
            Some(Kind::Piece) => "Piece captured",
            None if capture.en_passant => "En passant capture",
            None => "Capture done",
        };
        format!("{what} at {}", capture.square.to_string().to_uppercase())
    });
    let mut messages = vec![capture.unwrap_or_else(|| "Move complete".to_owned())];
    let checks: Vec<Direction> = announcement.check.iter().collect();
    if let Some(over) = announcement.over {
        messages.push(match over.result.winner() {
            Some(winner) => format!("Checkmate — {} wins", words::side(winner)),
            None => "Draw by stalemate".to_owned(),
        });
    } else if let [direction] = checks[..] {
        let text = match direction {
            Direction::Knight => "Check by knight",
            Direction::Rank => "Check on rank",
            Direction::File => "Check on file",
            Direction::Long => "Check on long diagonal",
            Direction::Short => "Check on short diagonal",
        };
        messages.push(text.to_owned());
    } else if !checks.is_empty() {
        messages.push("Double check".to_owned());
    }
    messages.extend(announcement.promotion.then(|| "Promotion".to_owned()));
    messages
}

fn tries_of(tries: Tries) -> String {
    let from = |squares: Bitboard| {
        let names: Vec<String> =
            squares.into_iter().map(|square| square.to_string().to_uppercase()).collect();
        names.join(", ")
    };
    match tries {
        tries if !tries.are_there() => "No pawn captures".to_owned(),
        Tries::Count(1) => "1 pawn try".to_owned(),
        Tries::Count(count) => format!("{count} pawn tries"),
        Tries::Any(_) => "Has pawn capture".to_owned(),
        Tries::From(squares) if squares.count() == 1 => format!("Pawn try from {}", from(squares)),
        Tries::From(squares) => format!("Pawn tries from {}", from(squares)),
    }
}

/// One request a connection.
fn answer(mut stream: TcpStream, standin: &mut Standin) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|length| length > 2) {}
    let what = head.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let header = |name: &str| {
        let line = head.lines().find(|line| line.to_ascii_lowercase().starts_with(name));
        line.and_then(|line| line.split_once(": ")).map(|(_, value)| value.trim().to_owned())
    };
    let mut body = vec![0; header("content-length:").and_then(|text| text.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let is_known = header("authorization:").as_deref() == Some(&format!("Bearer {TOKEN}"));
    standin.asked.push(Asked {
        what: what.clone(),
        body: body.clone(),
        head: head.clone(),
        when: Instant::now(),
    });
    let odd = standin.odd.iter().find(|(path, _)| what.ends_with(path)).map(|(_, text)| text.clone());
    let mut wish = String::new();
    let (status, text) = if standin.busy.is_empty() {
        match odd {
            Some(text) => (200, text),
            None if !is_known && !what.ends_with("/register") => {
                (401, json!({"detail": "Not authenticated"}).to_string())
            }
            None => {
                let (status, value) = standin.answer(&what, &body);
                (status, value.to_string())
            }
        }
    } else {
        let (status, seconds) = standin.busy.remove(0);
        if let Some(seconds) = seconds {
            wish = format!("retry-after: {seconds}\r\n");
        }
        // Sites are known to quote what they were sent.
        (status, error("BUSY", &header("authorization:").unwrap_or_default()).to_string())
    };
    let head = format!(
        "HTTP/1.1 {status} X\r\n{wish}content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        text.len()
    );
    let _ = stream.write_all((head + &text).as_bytes());
}
