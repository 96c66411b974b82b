//! The outer recursion of DUB (Russell & Wolfe 2005, Fig. 7).
//!
//! The inner recursion has proved one belief-state branch: in every AND-node the first percept only. The outer one
//! verifies the plan on the other percepts, the deepest first, and drops what is proved for good; only its strategy
//! stays.

use super::tree::{ExpandId, GroupNode, TurnId};
use super::{Engine, Fed, Guide};
use crate::domain::Domain;
use crate::limits::Stop;

impl<D: Domain, G: Guide<D>> Engine<'_, D, G> {
    /// OUTER for an OR-node whose last link holds on its first percept.
    pub(super) fn outer_turn(&mut self, id: TurnId) -> Result<bool, Stop> {
        loop {
            let turn = &self.tree.turns[id as usize];
            if let Some(at) = turn.chain.iter().position(|link| !link.sure) {
                match self.outer_link(id, at)? {
                    Fed::Proved => self.tree.turns[id as usize].chain[at].sure = true,
                    Fed::Failed => self.break_link(id, at),
                    Fed::Hopeless => return Ok(false),
                }
            } else if turn.loose.is_empty() && turn.stuck.is_empty() {
                return Ok(true);
            } else if !self.cover(id)? {
                return Ok(false);
            }
        }
    }

    /// OUTER for the AND-node of one attempt.
    fn outer_link(&mut self, id: TurnId, at: usize) -> Result<Fed, Stop> {
        let mut solved = true;
        while let Some(&group) = self.tree.turns[id as usize].chain[at].groups.first() {
            let proved = match group.node {
                GroupNode::Expand(expand) => {
                    (solved || self.solve_expand(expand)?) && self.outer_expand(expand)?
                }
                GroupNode::Answer(turn, _) => (solved || self.solve_turn(turn)?) && self.outer_turn(turn)?,
            };
            if !proved {
                return Ok(match group.node {
                    GroupNode::Expand(_) => Fed::Failed,
                    GroupNode::Answer(_, choice) => self.lost_answer(choice),
                });
            }
            let step = self.tree.step(group.node);
            let link = &mut self.tree.turns[id as usize].chain[at];
            link.groups.remove(0);
            link.done.extend(step.map(|step| (group.percept, step)));
            match group.node {
                GroupNode::Expand(expand) => self.tree.drop_expand(expand, self.meter),
                GroupNode::Answer(turn, _) => self.tree.drop_turn(turn, self.meter),
            }
            solved = false;
        }
        Ok(Fed::Proved)
    }

    /// OUTER for an EXPAND-node and the AND-node below it.
    fn outer_expand(&mut self, id: ExpandId) -> Result<bool, Stop> {
        let mut solved = true;
        while let Some(&(percept, turn)) = self.tree.expands[id as usize].turns.first() {
            if !((solved || self.solve_turn(turn)?) && self.outer_turn(turn)?) {
                return Ok(false);
            }
            let strategy = self.tree.strategy(turn);
            let expand = &mut self.tree.expands[id as usize];
            expand.turns.remove(0);
            expand.done.extend(strategy.map(|strategy| (percept, strategy)));
            self.tree.drop_turn(turn, self.meter);
            solved = false;
        }
        Ok(true)
    }
}
