//! How well beliefs live through long games (measured by hand while they are built).
#![allow(clippy::unwrap_used)]
use nebel_belief::{
    Belief, BeliefLimits, Key, Man, Marginals, Men,
    particles::{HowKnown, ParticleLimits},
};
use nebel_kriegspiel::{Bitboard, Color, Position as _, Role, Square, Transcript, json, transcript::Record};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn log_likelihood(m: &Marginals, truth: &Men, own: Bitboard) -> f64 {
    use nebel_position::Side;
    let mut sum = 0.0;
    for square in Bitboard::FULL & !own {
        let p = match truth.role_at(square) {
            Some(Role::King) => m.get(square, Man::Of(Role::King)),
            Some(Role::Pawn) => m.get(square, Man::Of(Role::Pawn)),
            Some(_) => {
                [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
                    .iter()
                    .map(|&r| m.get(square, Man::Of(r)))
                    .sum::<f64>()
                    + m.get(square, Man::Piece)
            }
            None => 1.0 - m.occupied(square),
        };
        sum += p.clamp(0.001, 1.0).ln();
    }
    sum
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let env = |name: &str, default: usize| std::env::var(name).ok().map_or(default, |v| v.parse().unwrap());
    let limits = BeliefLimits {
        exact: env("EXACT", 40_000),
        particles: ParticleLimits {
            most: env("MOST", 40_000),
            keep: env("KEEP", 20_000),
            low: env("LOW", 4000),
            changes: env("CHANGES", 10_000),
            rescues: env("RESCUES", 100_000),
        },
    };
    let weigh = std::env::var("POLICY").ok();
    let verbose = std::env::var("VERBOSE").is_ok();
    let most_games = env("GAMES", 20);
    for file in files {
        let text = std::fs::read(&file).unwrap();
        let games = json::Games::of(&text[..]);
        let (mut turns, mut counts, mut all, mut time, mut worst) =
            (0, [0usize; 3], 0, Duration::ZERO, Duration::ZERO);
        let (mut like, mut kinds, mut n) = (0.0, [0usize; 4], 0);
        let mut by_men = [[0usize; 2]; 17];
        for record in games {
            let Ok(Record::Transcript(game)) = record else { panic!() };
            let moves = game.events().iter().filter(|e| e.announcement().is_some()).count();
            if moves < 120 {
                continue;
            }
            n += 1;
            if n > most_games {
                break;
            }
            for side in [Color::White, Color::Black] {
                measure(&game, side, limits, weigh.as_deref(), |b, truth, spent| {
                    turns += 1;
                    time += spent;
                    worst = worst.max(spent);
                    let (len, known) = (b.len(), b.how_known());
                    kinds[known as usize] += 1;
                    let full = known >= HowKnown::Some;
                    let is_all = known == HowKnown::All;
                    all += usize::from(is_all);
                    for (count, least) in counts.iter_mut().zip([1000, 100, 1]) {
                        *count += usize::from(is_all || (full && len >= least));
                    }
                    let men = truth.all.count();
                    by_men[men][0] += 1;
                    by_men[men][1] += usize::from(is_all || (full && len >= 1000));
                    if verbose && !(is_all || (full && len >= 1000)) {
                        println!(
                            "game {n} {side:?} men {men} known {known:?} len {len} enclosing {:?}",
                            b.enclosing().map(<[_]>::len)
                        );
                    }
                    let own = b.view().own().men().squares();
                    like += log_likelihood(&b.marginals(), truth, own);
                    debug_assert!(!is_all || b.keys().any(|k| k == Key::pack(truth)));
                    if is_all && !b.keys().any(|k| k == Key::pack(truth)) {
                        panic!("lost the truth")
                    }
                });
            }
        }
        let share = |c: usize| 100.0 * c as f64 / turns as f64;
        println!(
            "{file}: {} games, {turns} turns: >=1000 {:.1}%, >=100 {:.1}%, >=1 {:.1}%; all {:.1}%; kinds last/since/some/all {kinds:?}; {:.1} ms a turn, worst {:.0}; log-likelihood {:.2}",
            n.min(most_games),
            share(counts[0]),
            share(counts[1]),
            share(counts[2]),
            share(all),
            time.as_secs_f64() * 1e3 / turns as f64,
            worst.as_secs_f64() * 1e3,
            like / turns as f64
        );
        if std::env::var("MEN").is_ok() {
            for (men, [t, g]) in by_men.iter().enumerate() {
                if *t > 0 {
                    println!("  men {men}: {t} turns, {:.1}%", 100.0 * *g as f64 / *t as f64);
                }
            }
        }
    }
}

fn measure(
    game: &Transcript,
    side: Color,
    limits: BeliefLimits,
    weigh: Option<&str>,
    mut each: impl FnMut(&Belief, &Men, Duration),
) {
    let header = game.header();
    let mut belief = Belief::new(header.rules.clone(), &header.start, side, limits, 1);
    if let Some(_weights) = weigh {
        belief = belief.with_policy(Arc::clone(&nebel_belief::opponent::Model::standard().policy));
    }
    let mut position = header.start.clone();
    let mut spent = Duration::ZERO;
    let mut fresh = true;
    for event in game.events() {
        if position.turn() == side && fresh {
            let truth = Men::of(&position, !side);
            each(&belief, &truth, spent);
            spent = Duration::ZERO;
            fresh = false;
        }
        let begun = Instant::now();
        if let Some(heard) = event.heard_by(side, &header.rules) {
            belief.hear(&heard).unwrap();
        }
        spent += begun.elapsed();
        if event.announcement().is_some() {
            let nebel_kriegspiel::Event::Attempt { said: Some(input), .. } = event else { continue };
            let attempt = input.attempt().unwrap();
            let m = position
                .legal_moves()
                .into_iter()
                .find(|&m| nebel_kriegspiel::Attempt::of_move(m) == attempt)
                .unwrap();
            position.play_unchecked(m);
            fresh = true;
        }
    }
    let _ = Square::A1;
}
