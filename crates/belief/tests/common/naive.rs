//! An estimator that shares nothing with the crate: sets of the chess library's positions, the chess
//! library's moves, and what the umpire would say, written again from the rules over a second library.

use std::collections::BTreeMap;

use nebel_kriegspiel::{
    Announcement, Answer, AskAnswer, Attempt, Chess, Color, Event, Over, OwnMen, OwnSide, Reason, Role,
    Rules, over,
    rules::{PromotionAnnounced, TriesAnnounced},
    start,
};
use shakmaty::{Move, Position};

use super::second;

/// A belief as a map from FEN to position.
pub(crate) struct Naive {
    rules: Rules,
    side: Color,
    own: OwnSide,
    pub(crate) positions: BTreeMap<String, Chess>,
    refused: [usize; 2],
    question: Option<AskAnswer>,
}

impl Naive {
    pub(crate) fn new(rules: Rules, start: &Chess, side: Color) -> Naive {
        Naive {
            own: OwnSide::new(rules.clone(), start, side),
            rules,
            side,
            positions: collect([start.clone()].into_iter()),
            refused: [0, 0],
            question: None,
        }
    }

    pub(crate) fn hear(&mut self, event: &Event) {
        let heard = self.own.take(event.clone()).unwrap();
        let before = std::mem::take(&mut self.positions).into_values();
        let rules = &self.rules;
        self.positions = match &*heard {
            Event::End { .. } | Event::Attempt { answer: Answer::Nonsense, .. } => collect(before),
            Event::Ask { by, answer } => {
                if *answer != AskAnswer::Nonsense && *by != self.side {
                    self.question = Some(*answer);
                }
                collect(before.filter(|position| {
                    let any = second::tries(&second::board(position)).count > 0;
                    match answer {
                        AskAnswer::Yes => any,
                        AskAnswer::No => !any,
                        AskAnswer::Nonsense => true,
                    }
                }))
            }
            Event::Attempt { said: Some(said), answer: Answer::Illegal, .. } => {
                let attempt = said.attempt().unwrap();
                collect(before.filter(|position| legal(position, attempt).is_none()))
            }
            Event::Attempt { said: Some(said), answer: Answer::Moved(announcement), .. } => {
                self.refused = [0, 0];
                self.question = None;
                let attempt = said.attempt().unwrap();
                collect(before.filter_map(|position| {
                    let m = legal(&position, attempt)?;
                    played(rules, &position, &second::board(&position), m, announcement)
                }))
            }
            Event::Attempt { said: None, answer: Answer::Illegal, .. } => {
                self.refused[usize::from(self.question.is_some())] += 1;
                let (refused, question) = (self.refused, self.question);
                collect(before.filter(|position| could_be_refused(rules, position, refused, question)))
            }
            Event::Attempt { said: None, answer: Answer::Moved(announcement), .. } => {
                let only_pawn_captures = self.question == Some(AskAnswer::Yes)
                    && (rules.tries == TriesAnnounced::AskBinding || self.refused[1] == 0);
                collect(before.flat_map(|position| {
                    let (moves, board) = (position.legal_moves(), second::board(&position));
                    let next: Vec<Chess> = moves
                        .into_iter()
                        .filter(|&m| !only_pawn_captures || (m.role() == Role::Pawn && m.is_capture()))
                        .filter_map(|m| played(rules, &position, &board, m, announcement))
                        .collect();
                    next
                }))
            }
        };
    }
}

fn collect(positions: impl Iterator<Item = Chess>) -> BTreeMap<String, Chess> {
    positions.map(|position| (start::fen_without_counters(&position), position)).collect()
}

fn legal(position: &Chess, attempt: Attempt) -> Option<Move> {
    position.legal_moves().into_iter().find(|&m| Attempt::of_move(m) == attempt)
}

/// The position after a move that is announced as heard; `before` is the position in the second library.
fn played(
    rules: &Rules,
    position: &Chess,
    before: &cozy_chess::Board,
    m: Move,
    heard: &Announcement,
) -> Option<Chess> {
    let promotion = m.is_promotion() && rules.promotion == PromotionAnnounced::Heard;
    if second::capture(before, m, rules) != heard.capture || promotion != heard.promotion {
        return None;
    }
    let mut next = position.clone();
    next.play_unchecked(m);
    let over = if next.legal_moves().is_empty() {
        Some(Over::without_moves(rules, next.turn(), next.is_check()))
    } else if over::is_dead(next.board()) {
        Some(Over::draw(Reason::Material))
    } else {
        // What depends on history cannot be told from the position.
        heard
            .over
            .filter(|over| !matches!(over.reason, Reason::Checkmate | Reason::Stalemate | Reason::Material))
    };
    let after = second::board(&next);
    let tries = if over.is_none() { second::tries(&after).announced(rules) } else { None };
    let agrees = over == heard.over && tries == heard.tries && second::check(&after) == heard.check;
    agrees.then_some(next)
}

fn could_be_refused(
    rules: &Rules,
    position: &Chess,
    [before, after]: [usize; 2],
    question: Option<AskAnswer>,
) -> bool {
    let men = OwnMen::of(position, position.turn());
    let (mut captures, mut others) = (0, 0);
    men.for_each_attempt(|attempt| {
        if legal(position, attempt).is_none() {
            if men.is_pawn_capture(attempt) {
                captures += 1;
            } else {
                others += 1;
            }
        }
    });
    let enough = captures + others >= before + after;
    enough
        && match question {
            Some(AskAnswer::Yes) if rules.tries == TriesAnnounced::AskBinding => captures >= after,
            Some(AskAnswer::Yes) => after == 0 || captures >= 1,
            Some(AskAnswer::No) => others >= after,
            _ => true,
        }
}
