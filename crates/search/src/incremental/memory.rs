//! What the tree forgets, the guide remembers: proved turns, and turns that need no plan because of one.

use super::tree::{GroupNode, Link, Standing, TurnId};
use super::{Engine, Guide};
use crate::domain::Domain;
use crate::limits::Stop;
use crate::strategy::Strategy;

/// With fewer plies left a proof is found again faster than remembered.
const LEAST_PLIES: u32 = 3;

impl<D: Domain, G: Guide<D>> Engine<'_, D, G> {
    /// Whether a turn needs no plan of its own, because a set that holds its states was proved before; `news` says that
    /// states have come.
    pub(super) fn is_covered(&mut self, id: TurnId, news: bool) -> bool {
        let turn = &mut self.tree.turns[id as usize];
        if !G::REMEMBERS
            || turn.plies < LEAST_PLIES
            || !turn.chain.is_empty()
            || turn.keys.as_slice().is_empty()
        {
            return false;
        }
        if news {
            let known = self.guide.knows_proved(&turn.keys, turn.sum, turn.plies);
            turn.standing = if known { Standing::Covered } else { Standing::Open };
        }
        turn.standing == Standing::Covered
    }

    /// Tells the guide what is proved below a link that is about to be dropped.
    pub(super) fn remember_link(&mut self, link: &Link) {
        if !G::REMEMBERS {
            return;
        }
        for group in &link.groups {
            match group.node {
                GroupNode::Answer(turn, _) => self.remember_turn(turn),
                GroupNode::Expand(expand) => {
                    for index in 0..self.tree.expands[expand as usize].turns.len() {
                        let (_, turn) = self.tree.expands[expand as usize].turns[index];
                        self.remember_turn(turn);
                    }
                }
            }
        }
    }

    fn remember_turn(&mut self, id: TurnId) {
        let turn = &self.tree.turns[id as usize];
        if turn.plies < LEAST_PLIES {
            return;
        }
        // Every state taken in is caught by a link that wins it.
        let planned = turn.standing == Standing::Open && turn.loose.is_empty() && turn.stuck.is_empty();
        if planned && !turn.chain.is_empty() {
            self.guide.learn_proved(&turn.keys, turn.sum, turn.plies);
        }
        let chain = std::mem::take(&mut self.tree.turns[id as usize].chain);
        for link in &chain {
            self.remember_link(link);
        }
        self.tree.turns[id as usize].chain = chain;
    }

    /// The strategy of a proved turn. Where a turn relies on what was proved before, its plan is made now.
    pub(crate) fn strategy(&mut self, id: TurnId) -> Result<Option<Strategy>, Stop> {
        self.plan(id)?;
        Ok(self.tree.strategy(id))
    }

    fn plan(&mut self, id: TurnId) -> Result<(), Stop> {
        if self.tree.turns[id as usize].standing == Standing::Covered {
            self.tree.turns[id as usize].standing = Standing::Open;
            let proved = self.cover(id)?;
            debug_assert!(proved, "what was proved stays so");
        }
        for at in 0..self.tree.turns[id as usize].chain.len() {
            for group in 0..self.tree.turns[id as usize].chain[at].groups.len() {
                match self.tree.turns[id as usize].chain[at].groups[group].node {
                    GroupNode::Answer(turn, _) => self.plan(turn)?,
                    GroupNode::Expand(expand) => {
                        for index in 0..self.tree.expands[expand as usize].turns.len() {
                            let (_, turn) = self.tree.expands[expand as usize].turns[index];
                            self.plan(turn)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
