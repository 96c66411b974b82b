//! A planning domain that is no game: a cleaner in a row of rooms that may be dirty.
//!
//! The cleaner does not know where it stands nor which rooms are dirty; it hears after each action whether its own room
//! is dirty. Walls refuse a step, which tells where it is. Sucking cleans the room and, as in the erratic vacuum world of
//! Russell & Norvig's textbook, sometimes the next one to the right as well: nature is the opponent.

use std::ops::ControlFlow;

use crate::domain::{AttemptId, Domain, Outcome, Percept, Reply};

/// Step to the left; a wall refuses it.
pub const LEFT: AttemptId = 0;
/// Step to the right; a wall refuses it.
pub const RIGHT: AttemptId = 1;
/// Clean the room.
pub const SUCK: AttemptId = 2;

/// What is heard with every action: nothing yet.
const SILENCE: Percept = 0;
/// The last dirt is gone.
const ALL_CLEAN: Percept = 3;

/// A row of rooms.
#[derive(Clone, Copy, Debug)]
pub struct Vacuum {
    rooms: u8,
}

/// Where the cleaner is, what is dirty, and whether it is just sucking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct World {
    /// The room of the cleaner, from 0.
    pub room: u8,
    /// One bit a room.
    pub dirt: u32,
    sucking: bool,
}

impl Vacuum {
    /// A row of 1 to 32 rooms.
    pub fn new(rooms: u8) -> Self {
        Vacuum { rooms: rooms.clamp(1, 32) }
    }

    /// A world with nothing going on.
    pub fn world(&self, room: u8, dirt: u32) -> World {
        World { room: room.min(self.rooms - 1), dirt, sucking: false }
    }

    /// All worlds with some dirt left.
    pub fn all_worlds(self) -> impl Iterator<Item = World> {
        let dirt = 1..1u64 << self.rooms;
        dirt.flat_map(move |dirt| (0..self.rooms).map(move |room| self.world(room, dirt as u32)))
    }

    fn heard(world: World) -> Reply<World> {
        let percept = 1 + u64::from(world.dirt >> world.room & 1);
        Reply::Continues { percept, state: World { sucking: false, ..world } }
    }
}

impl Domain for Vacuum {
    type State = World;

    fn key(&self, world: &World) -> u128 {
        u128::from(world.dirt) << 8 | u128::from(world.room) << 1 | u128::from(world.sucking)
    }

    fn attempts(&self, world: &World, attempts: &mut Vec<AttemptId>) {
        attempts.push(SUCK);
        if world.room > 0 {
            attempts.push(LEFT);
        }
        if world.room + 1 < self.rooms {
            attempts.push(RIGHT);
        }
    }

    fn outcome(&self, world: &World, attempt: AttemptId) -> Outcome<World> {
        let state = match attempt {
            LEFT if world.room > 0 => World { room: world.room - 1, ..*world },
            RIGHT if world.room + 1 < self.rooms => World { room: world.room + 1, ..*world },
            SUCK => World { dirt: world.dirt & !(1 << world.room), sucking: true, ..*world },
            _ => return Outcome::Refused,
        };
        if state.dirt == 0 { Outcome::Won(ALL_CLEAN) } else { Outcome::Moved { percept: SILENCE, state } }
    }

    fn replies(&self, world: &World, mut visit: impl FnMut(Reply<World>) -> ControlFlow<()>) {
        if visit(Vacuum::heard(*world)).is_break() || !world.sucking || world.room + 1 >= self.rooms {
            return;
        }
        let more = World { dirt: world.dirt & !(2 << world.room), ..*world };
        if more.dirt == 0 {
            let _ = visit(Reply::Won(ALL_CLEAN));
        } else {
            let _ = visit(Vacuum::heard(more));
        }
    }
}
