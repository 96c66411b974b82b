//! The umpire: random games under all rulesets, all that is said and what each side hears of it.

use nebel_kriegspiel::{Chess, Color};

use super::{
    Done, Work,
    games::{random_game, rulesets, seed_of},
    signature::Signature,
};

const GAMES: usize = 60;
const PLIES: usize = 300;

pub(super) fn run(work: Work) -> Done {
    let (mut signature, mut events) = (Signature::default(), 0);
    for (number, rules) in rulesets() {
        for game in 0..work.pieces(GAMES) {
            let game = random_game(&rules, &Chess::new(), PLIES, seed_of(work.seed, 0, number, game));
            for event in game.events() {
                signature.text(&event.to_json(&rules));
                for side in Color::ALL {
                    let heard = event.heard_by(side, &rules);
                    signature.text(&heard.map_or(String::new(), |heard| heard.to_json(&rules)));
                }
            }
            events += game.events().len() as u64;
        }
    }
    Done { signature, count: events, unit: "events" }
}
