//! The belief that is shown while playing, in practice games. It is computed from the person's view alone.

use std::time::Instant;

use nebel_belief::TrackError;
use nebel_kriegspiel::{Color, Event, Header, ViewEvent};

use tokio::sync::OwnedSemaphorePermit;

use super::messages::Told;
use crate::{
    knowledge::{Belief, Knowledge},
    pool::{Job, Pool},
};

/// What the person could know, kept up with what is heard.
#[derive(Debug)]
pub(super) struct Practice {
    side: Color,
    /// Away while a thread works on it; gone for good if that failed.
    knowledge: Option<Box<Knowledge>>,
    job: Option<Job<Computed>>,
    /// Heard, but not taken in yet.
    waiting: Vec<Event>,
    /// Its share of the memory for beliefs.
    _permit: OwnedSemaphorePermit,
}

/// The knowledge after what was heard, and the belief it amounts to.
type Computed = Result<(Box<Knowledge>, Belief), TrackError>;

/// The belief is exact up to so many positions: a step takes a fraction of a second.
const EXACT: usize = 200_000;

impl Practice {
    pub(super) fn new(header: &Header, side: Color, permit: OwnedSemaphorePermit) -> Practice {
        let knowledge = Knowledge::new(header.rules.clone(), &header.start, side, EXACT);
        Practice {
            side,
            knowledge: Some(Box::new(knowledge)),
            job: None,
            waiting: Vec::new(),
            _permit: permit,
        }
    }

    /// Whose knowledge it is.
    pub(super) fn side(&self) -> Color {
        self.side
    }

    /// Takes in an event, as soon as a thread is free.
    pub(super) fn hear(&mut self, heard: &ViewEvent, threads: &Pool) {
        self.waiting.push((**heard).clone());
        self.work(threads);
    }

    /// Has the belief computed once more, for somebody who has just come.
    pub(super) fn show_again(&mut self, threads: &Pool) {
        self.work(threads);
    }

    fn work(&mut self, threads: &Pool) {
        let Some(knowledge) = &self.knowledge else { return };
        let (mut knowledge, events) = (knowledge.clone(), self.waiting.clone());
        let job = threads.run(move |_| {
            let begun = Instant::now();
            events.iter().try_for_each(|event| knowledge.hear(event))?;
            let belief = knowledge.belief(begun);
            Ok((knowledge, belief))
        });
        // When too much is waiting the heat map is late; the next event tries again.
        if let Ok(job) = job {
            self.waiting.clear();
            self.knowledge = None;
            self.job = Some(job);
        }
    }

    /// Waits until a belief has been computed; forever if none will be.
    pub(super) async fn computed(practice: &mut Option<Practice>, threads: &Pool) -> (Color, Told) {
        let Some(this) = practice else { return std::future::pending().await };
        loop {
            let Some(job) = &mut this.job else { return std::future::pending().await };
            let result = job.wait().await;
            this.job = None;
            let Ok(Ok((knowledge, belief))) = result else { continue };
            let seen = knowledge.heard();
            this.knowledge = Some(knowledge);
            if !this.waiting.is_empty() {
                this.work(threads);
            }
            return (this.side, Told::Belief { seen, belief: Box::new(belief) });
        }
    }
}
