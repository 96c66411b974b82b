//! What encloses the belief: the metaposition, and where it allows few enough boards, all of them, followed exactly.

use nebel_kriegspiel::{Chess, Color, Event, Role, Rules};
use nebel_position::Key;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    last_observation::LastObservation, metaposition::Metaposition, step::Step, view_state::ViewState,
};

/// A superset of the belief.
#[derive(Clone, Debug)]
pub(super) struct Enclosure {
    metaposition: Metaposition,
    last: LastObservation,
    /// All positions that may be, where they are few.
    positions: Option<Vec<Key>>,
}

/// No more boards than this are followed: at some three million successors a second they cost a few times what the particles do,
/// and they are followed only where those are few.
const MOST: usize = 30_000;

impl Enclosure {
    pub(super) fn new(rules: &Rules, start: &Chess, side: Color) -> Enclosure {
        Enclosure {
            metaposition: Metaposition::new(rules, start, side),
            last: LastObservation::new(start, side),
            positions: None,
        }
    }

    /// All positions that may be, where they are few: every position of the belief is among them.
    pub(super) fn positions(&self) -> Option<&[Key]> {
        self.positions.as_deref()
    }

    /// Takes in an event, and what it asks of positions, which are followed where they are `wanted`.
    pub(super) fn hear(&mut self, event: &Event, step: Option<&Step>, view: &ViewState, wanted: bool) {
        self.metaposition.hear(event);
        self.last.hear(event, view.side());
        let Some(step) = step else { return };
        if !wanted {
            self.positions = None;
            return;
        }
        if let Some(positions) = self.positions.take() {
            let mut next = Vec::with_capacity(positions.len());
            for key in positions {
                step.follow(key, |key| next.push(key));
            }
            next.sort_unstable();
            next.dedup();
            self.positions = (next.len() <= MOST).then_some(next);
        }
        if self.positions.is_none()
            && let Step::Hidden(hidden) = step
        {
            let may_pass = (hidden.beside() & self.metaposition.may_hold(Role::Pawn)).any();
            let boards = (!may_pass).then(|| self.metaposition.boards(MOST)).flatten();
            self.positions = boards.map(|mut boards| {
                boards.retain(|&key| hidden.may_have_led_to(key));
                boards.sort_unstable();
                boards
            });
        }
    }

    /// A board on which it is this side's turn, that agrees with the last event and with what may stand where.
    pub(super) fn draw(&self, view: &ViewState, random: &mut Xoshiro256PlusPlus) -> Option<Key> {
        let weight = |role, square| self.metaposition.weight(role, square);
        self.last.draw_by(view, Some(&weight), random)
    }
}
