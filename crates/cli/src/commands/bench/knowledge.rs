//! What players hold in place of a belief: metapositions and belief matrices, over random games.

use nebel_belief::{
    matrices::{Matrices, MatrixTracker},
    metaposition::Metaposition,
    opponent::Model,
};
use nebel_kriegspiel::{Chess, Color, Role, Square};

use super::{
    Done, Work,
    games::{random_game, rulesets, seed_of},
    signature::Signature,
};

const GAMES: usize = 20;
const PLIES: usize = 120;

pub(super) fn run(work: Work) -> Done {
    let (mut signature, mut events) = (Signature::default(), 0);
    let start = Chess::new();
    for (number, rules) in rulesets() {
        for game in 0..work.pieces(GAMES) {
            let game = random_game(&rules, &start, PLIES, seed_of(work.seed, 2, number, game));
            for side in Color::ALL {
                let mut meta = Metaposition::new(&rules, &start, side);
                let mut listener = MatrixTracker::new(rules.clone(), &start, side, Model::standard());
                for event in game.events() {
                    let Some(heard) = event.heard_by(side, &rules) else { continue };
                    meta.hear(&heard);
                    let fits = listener.hear(&heard).is_ok();
                    signature.number(u64::from(fits));
                    sign_metaposition(&meta, &mut signature);
                    sign_matrices(listener.matrices(), &mut signature);
                    events += 1;
                }
            }
        }
    }
    Done { signature, count: events, unit: "events" }
}

fn sign_metaposition(meta: &Metaposition, signature: &mut Signature) {
    for role in Role::ALL {
        signature.number(meta.may_hold(role).into());
    }
    signature.number(meta.may_be_empty().into());
    signature.number(meta.castling().into());
    signature.number(u64::from(meta.total_age()));
}

fn sign_matrices(matrices: &Matrices, signature: &mut Signature) {
    for square in Square::ALL {
        for value in [matrices.king(square), matrices.pawn(square), matrices.piece(square)] {
            signature.real(value);
        }
    }
}
