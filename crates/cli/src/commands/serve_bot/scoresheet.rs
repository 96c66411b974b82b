//! The scoresheet of kriegspiel.org as events of a view.
//!
//! The site tells a player the game as turns, each a list of entries with sentences ("Pawn captured at D5", "Check on file"). What stands there is
//! what the player has heard; the other side's moves are entries without a move. Pawn tries of the side to move are an entry of
//! their own at the beginning of its turn; in our events they belong to the move before. Two things are told less well than our rules
//! tell them, and so are left to [`super::table`]: a double check has no directions, and under rules that release a player from a pawn capture
//! he may ask and be refused again what he was before.

use nebel_kriegspiel::{
    Announcement, Answer, AskAnswer, Attempt, Color, Event, Input, Rules, start::shortened,
};
use serde::Deserialize;
use serde_json::Value;

use super::sentences::{take, tries};

/// An event that the scoresheet tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Told {
    /// The event, without directions where there are two.
    pub(super) event: Event,
    /// A double check, of which the site says no more.
    pub(super) is_double: bool,
}

/// All that a scoresheet tells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sheet {
    /// In their order.
    pub(super) told: Vec<Told>,
    /// A sentence that we do not know and have left out.
    pub(super) unknown: Option<String>,
}

#[derive(Deserialize)]
struct Turns {
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    #[serde(default)]
    white: Vec<Entry>,
    #[serde(default)]
    black: Vec<Entry>,
}

/// Something that was announced.
#[derive(Deserialize)]
struct Entry {
    kind: EntryKind,
    messages: Vec<String>,
    #[serde(default)]
    move_uci: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EntryKind {
    Move,
    Capture,
    IllegalMove,
    AskAny,
    Status,
}

impl Sheet {
    /// Reads the scoresheet of this side; in words what is wrong with one that cannot be read.
    pub(super) fn read(sheet: &Value, side: Color, rules: &Rules) -> Result<Sheet, String> {
        let turns = Turns::deserialize(sheet).map_err(|error| shortened(&error.to_string()))?.turns;
        let mut sheet = Sheet::default();
        for turn in &turns {
            for (by, entries) in [(Color::White, &turn.white), (Color::Black, &turn.black)] {
                for entry in entries {
                    sheet.add(entry, by, by == side, rules)?;
                }
            }
        }
        Ok(sheet)
    }

    fn add(&mut self, entry: &Entry, by: Color, is_own: bool, rules: &Rules) -> Result<(), String> {
        let says = |text: &str| entry.messages.iter().any(|message| message == text);
        let own_move = || {
            let text = entry.move_uci.as_deref().ok_or("an own attempt is missing")?;
            let attempt: Attempt = text.parse().map_err(|_| format!("`{}` is no move", shortened(text)))?;
            Ok::<_, String>(Input::Attempt(attempt))
        };
        let said = match entry.kind {
            EntryKind::Status | EntryKind::AskAny => None,
            _ => is_own.then(own_move).transpose()?,
        };
        let mut is_double = false;
        let event = match entry.kind {
            EntryKind::Status => return self.add_tries(entry, rules),
            // A second question in a turn has the first one's answer.
            EntryKind::AskAny if self.is_asked() => return Ok(()),
            EntryKind::AskAny => match (says("Has pawn captures"), says("No pawn captures")) {
                (true, false) => Event::Ask { by, answer: AskAnswer::Yes },
                (false, true) => Event::Ask { by, answer: AskAnswer::No },
                _ => return Err("a question without its answer".to_owned()),
            },
            EntryKind::IllegalMove if says("Illegal move") => {
                Event::Attempt { by, said, answer: Answer::Illegal }
            }
            // Of the other side's nonsense our rules tell nothing.
            EntryKind::IllegalMove if !is_own => return Ok(()),
            EntryKind::IllegalMove => Event::Attempt { by, said, answer: Answer::Nonsense },
            EntryKind::Move | EntryKind::Capture => {
                let mut announcement = Announcement::default();
                for message in &entry.messages {
                    if message == "Double check" {
                        is_double = true;
                    } else if !take(message, &mut announcement, rules) {
                        self.unknown.get_or_insert_with(|| shortened(message));
                    }
                }
                if entry.kind == EntryKind::Capture && announcement.capture.is_none() {
                    return Err("a capture without its square".to_owned());
                }
                Event::Attempt { by, said, answer: Answer::Moved(announcement) }
            }
        };
        self.told.push(Told { event, is_double });
        Ok(())
    }

    /// Whether "any?" was asked in the turn that the sheet has come to.
    fn is_asked(&self) -> bool {
        let turn = self.told.iter().rev().take_while(|told| told.event.announcement().is_none());
        turn.into_iter().any(|told| matches!(told.event, Event::Ask { .. }))
    }

    /// The tries of the side to move, which the move before has announced.
    fn add_tries(&mut self, entry: &Entry, rules: &Rules) -> Result<(), String> {
        for message in &entry.messages {
            let Some(tries) = tries(message, rules.tries) else {
                self.unknown.get_or_insert_with(|| shortened(message));
                continue;
            };
            match self.told.last_mut().map(|told| &mut told.event) {
                Some(Event::Attempt { answer: Answer::Moved(announcement), .. }) => {
                    announcement.tries = Some(tries);
                }
                _ => return Err("pawn tries are told where no move was made".to_owned()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(turns: &Value, rules: &Rules) -> Result<Sheet, String> {
        let sheet = json!({"viewer_color": "white", "last_move_number": 2, "turns": turns, "new": {}});
        Sheet::read(&sheet, Color::White, rules)
    }

    fn events(turns: &Value, rules: &Rules) -> Vec<Event> {
        let sheet = read(turns, rules).unwrap();
        assert_eq!(sheet.unknown, None);
        sheet.told.into_iter().map(|told| told.event).collect()
    }

    fn expected(events: &[Value]) -> Vec<Event> {
        events.iter().map(|event| Event::from_json(&event.to_string()).unwrap()).collect()
    }

    fn own(messages: &[&str], uci: &str, kind: &str) -> Value {
        json!({"kind": kind, "actor": "self", "prompt": "Move attempt", "message": "", "messages": messages,
               "move_uci": uci, "question_type": "COMMON"})
    }

    fn other(messages: &[&str], kind: &str) -> Value {
        json!({"kind": kind, "actor": "opponent", "message": "", "messages": messages, "move_uci": null, "question_type": "COMMON"})
    }

    fn status(message: &str) -> Value {
        json!({"kind": "status", "message": message, "messages": [message]})
    }

    #[test]
    fn a_scoresheet_reads_as_our_events() {
        let turns = json!([
            {"turn": 1, "white": [own(&["Illegal move"], "e2d3", "illegal_move"), own(&["Move complete"], "e2e4", "move")],
             "black": [status("No pawn captures"), other(&["Move complete"], "move")]},
            {"turn": 2, "white": [status("1 pawn try"), own(&["Pawn captured at D5", "Check on short diagonal"], "e4d5", "capture")],
             "black": [status("No pawn captures"), other(&["Piece captured at D5"], "capture")]},
            {"turn": 3, "white": [status("12 pawn tries")], "black": []},
        ]);
        let all = [
            json!({"by":"white","attempt":"e2d3","answer":"illegal"}),
            json!({"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}),
            json!({"by":"black","answer":"moved","tries":{"count":1}}),
            json!({"by":"white","attempt":"e4d5","answer":"moved","capture":{"square":"d5","kind":"pawn"},"check":["short"],"tries":{"count":0}}),
            json!({"by":"black","answer":"moved","capture":{"square":"d5","kind":"piece"},"tries":{"count":12}}),
        ];
        assert_eq!(events(&turns, &Rules::icc()), expected(&all));
    }

    #[test]
    fn questions_ends_and_other_rules_are_read() {
        let ask = |answer: &str| json!({"kind": "ask_any", "messages": [answer], "question_type": "ASK_ANY"});
        let turns = json!([
            {"turn": 1, "white": [ask("Has pawn captures"), own(&["Capture done at D5", "Checkmate — White wins"], "e4d5", "capture")],
             "black": [other(&["Illegal move"], "illegal_move"), other(&["Nonsense"], "illegal_move"), ask("No pawn captures"), ask("No pawn captures")]},
        ]);
        let all = [
            json!({"by":"white","ask":"any","answer":"yes"}),
            json!({"by":"white","attempt":"e4d5","answer":"moved","capture":{"square":"d5"},"over":{"result":"1-0","reason":"checkmate"}}),
            json!({"by":"black","answer":"illegal"}),
            json!({"by":"black","ask":"any","answer":"no"}),
        ];
        assert_eq!(events(&turns, &Rules::berkeley_any()), expected(&all));
        for (message, told, event, rules) in [
            (
                "Promotion",
                "Pawn tries from E4, C2",
                json!({"promotion":true,"tries":{"from":["c2","e4"]}}),
                Rules::rand(),
            ),
            ("Move complete", "Pawn try from E4", json!({"tries":{"from":["e4"]}}), Rules::rand()),
            ("Move complete", "Has pawn capture", json!({"tries":{"any":true}}), Rules::cincinnati()),
            (
                "Stalemate — White wins",
                "",
                json!({"over":{"result":"1-0","reason":"stalemate"}}),
                Rules::rand(),
            ),
            (
                "Draw by insufficient material",
                "",
                json!({"over":{"result":"1/2-1/2","reason":"material"}}),
                Rules::icc(),
            ),
            (
                "En passant capture at D6",
                "",
                json!({"capture":{"square":"d6"},"en_passant":true}),
                Rules::english(),
            ),
        ] {
            let black = if told.is_empty() { vec![] } else { vec![status(told)] };
            let turns = json!([{"turn": 1, "white": [own(&[message], "a7a8q", "move")], "black": black}]);
            let mut whole = json!({"by":"white","attempt":"a7a8q","answer":"moved"});
            whole.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
            assert_eq!(events(&turns, &rules), expected(&[whole]), "{message} {told}");
        }
    }

    #[test]
    fn what_is_not_documented_is_told_or_left_out() {
        let turn = |white: Value| json!([{"turn": 1, "white": [white], "black": []}]);
        let sheet =
            read(&turn(own(&["Move complete", "The king is tired"], "e2e4", "move")), &Rules::icc()).unwrap();
        assert_eq!((sheet.told.len(), sheet.unknown.as_deref()), (1, Some("The king is tired")));
        let double =
            read(&turn(own(&["Move complete", "Double check"], "e2e4", "move")), &Rules::icc()).unwrap();
        assert!(double.told[0].is_double);
        for wrong in [
            json!("Move complete"),
            json!({"kind": "drop", "messages": []}),
            json!({"kind": "move", "messages": "Move complete", "move_uci": "e2e4"}),
            json!({"kind": "move", "messages": ["Move complete"]}),
            own(&["Move complete"], "P@e4", "move"),
            own(&["Capture done at Z9"], "e2e4", "capture"),
            json!({"kind": "ask_any", "messages": ["Perhaps"]}),
            status("1 pawn try"),
        ] {
            assert!(read(&turn(wrong.clone()), &Rules::icc()).is_err(), "{wrong}");
        }
        assert!(read(&json!({}), &Rules::icc()).is_err());
    }
}
