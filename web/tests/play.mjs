// Playing: attempts that are made and refused, promotion, phantoms, winning, losing, practice.

import { assert, boardLabel, click, counts, drag, joined, newGame, sees, squareAt, visit, yourTurn } from './harness.mjs';

export async function a_legal_and_a_refused_attempt({ browser, server }) {
  const { visitor, page } = await joined({ browser, server });
  // A pawn cannot capture what is not there; but it may try.
  await drag(page, 'e2', 'd3');
  await sees(page, '.status-said', 'Illegal: e2d3.');
  await sees(page, '.refusals', 'e2d3');
  assert((await boardLabel(page)).includes('e2'), 'the refused pawn went home');
  await click(page, 'e2');
  await counts(page.locator('square.move-dest:visible'), 3, 'after the refusal of d3, e3 e4 f3 are left for the pawn');
  await visitor.shot('play-refused');
  await click(page, 'e4');
  await sees(page, '.log', 'e2–e4');
  await sees(page, '.log', 'e2–d3');
  await yourTurn(page);
  await counts(page.locator('.refusals'), 0, 'refusals are of one turn');
  assert((await boardLabel(page)).includes('e4'), 'the pawn stands on e4');
  await counts(page.locator('cg-board piece.black'), 0, 'black men on the board');
  await visitor.close();
}

export async function a_pawn_promotes_to_what_one_chooses({ browser, server }) {
  const { visitor, page } = await joined({ browser, server }, { start: '8/4P3/8/8/8/8/k7/4K3 w - - 0 1' });
  await click(page, 'e7', 'e8');
  await page.getByRole('dialog', { name: 'Promote to' }).waitFor();
  const queen = await page.getByRole('button', { name: 'queen', exact: true }).boundingBox();
  const arrival = await squareAt(page, 'e8');
  assert(Math.abs(queen.x + queen.width / 2 - arrival.x) < 4 && Math.abs(queen.y + queen.height / 2 - arrival.y) < 4, 'the choice stands at the square');
  await visitor.shot('play-promotion');
  await page.keyboard.press('Escape');
  assert((await boardLabel(page)).includes('pawn e7'), 'cancelled, the pawn stays');
  await click(page, 'e7', 'e8');
  await page.getByRole('button', { name: 'rook', exact: true }).click();
  await sees(page, '.log', 'e7–e8=R');
  assert((await boardLabel(page)).includes('rook e8'), 'a rook stands on e8');
  await visitor.close();
}

export async function phantoms_are_placed_moved_removed_and_kept({ browser, server }) {
  const { visitor, page } = await joined({ browser, server });
  const phantom = (role) => page.locator(`cg-auto-pieces piece.${role}.black`);
  await page.getByRole('button', { name: 'Place a queen' }).click();
  await click(page, 'd5', 'h5');
  await counts(phantom('queen'), 2, 'two queens are guessed');
  await click(page, 'h5');
  await counts(phantom('queen'), 1, 'a second click takes a guess away');
  await page.getByRole('button', { name: 'Place a queen' }).click();
  await drag(page, 'd5', 'e6');
  const palette = await page.getByRole('button', { name: 'Place a knight' }).boundingBox();
  await drag(page, { x: palette.x + 20, y: palette.y + 20 }, 'f6');
  await counts(phantom('knight'), 1, 'a knight came from the palette');
  await page.reload();
  await yourTurn(page);
  await phantom('queen').waitFor();
  await visitor.shot('play-phantoms');
  const { x, y } = await squareAt(page, 'e6');
  const there = await phantom('queen').boundingBox();
  assert(Math.abs(there.x + there.width / 2 - x) < 12 && Math.abs(there.y + there.height / 2 - y) < 12, 'the queen is kept on e6');
  await drag(page, 'e6', { x: x - 2000 < 0 ? 5 : x - 2000, y });
  await counts(phantom('queen'), 0, 'dropped off the board it is gone');
  await page.getByRole('button', { name: 'Starting squares' }).click();
  await counts(page.locator('cg-auto-pieces piece'), 17, 'the enemy’s men start where they started');
  // A man of one's own on a guessed square refutes the guess.
  await drag(page, 'e2', 'e4');
  await yourTurn(page);
  await page.getByRole('button', { name: 'Clear' }).click();
  await counts(page.locator('cg-auto-pieces piece'), 0, 'all guesses are cleared');
  await visitor.close();
}

export async function one_wins_and_plays_again({ browser, server }) {
  const { visitor, page, game } = await joined({ browser, server }, { start: '7k/8/5KQ1/8/8/8/8/8 w - - 0 1' });
  await drag(page, 'g6', 'g7');
  await sees(page, '.status-turn', 'Checkmate. You win.');
  await visitor.shot('play-won');
  await page.getByRole('button', { name: 'Rematch' }).click();
  await page.waitForURL((url) => !url.hash.includes(game.id));
  await page.locator('.orientation-black').waitFor();
  await visitor.close();
}

export async function one_loses_by_mate_and_by_resigning({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  // White's only legal move takes the bishop and mates.
  const mated = await newGame(server, { as: 'black', start: 'b6k/6pp/8/8/8/7n/7P/R6K w - - 0 1' });
  await visitor.open(mated.path);
  await sees(page, '.status-turn', 'Checkmate. You lose.');
  await sees(page, '.log', 'Your piece on a8 was taken.');
  await visitor.shot('play-lost');
  const resigned = await newGame(server, {});
  await visitor.open(resigned.path);
  await yourTurn(page);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Play on' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  await sees(page, '.status-turn', 'You lose.');
  await visitor.close();
}

export async function practice_shows_what_could_be({ browser, server }) {
  const { visitor, page } = await joined({ browser, server }, { practice: true });
  await page.locator('square.heat').first().waitFor();
  await drag(page, 'e2', 'e4');
  await sees(page, '.belief-size', 'possible position');
  await yourTurn(page);
  await sees(page, '.belief-size', 'exact');
  await page.waitForFunction(() => !/^1 possible/.test(document.querySelector('.belief-size').textContent));
  const all = await page.locator('square.heat:visible').count();
  await page.getByRole('radio', { name: 'King' }).check();
  await page.waitForFunction((before) => [...document.querySelectorAll('square.heat')].filter((each) => each.checkVisibility({ visibilityProperty: true })).length < before, all);
  await visitor.shot('play-practice');
  await visitor.close();
}

export async function any_is_asked_where_the_rules_have_it_and_sounds_stay_muted({ browser, server }) {
  const { visitor, page } = await joined({ browser, server }, { rules: 'berkeley-any' });
  await page.getByRole('button', { name: 'Sound on' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Sound off' }).waitFor();
  await page.getByRole('button', { name: 'Any?' }).click();
  await sees(page, '.status-said', 'no pawn can capture');
  assert(await page.getByRole('button', { name: 'Any? No' }).isDisabled(), 'one asks once a turn');
  await visitor.close();
}

export async function any_says_what_it_costs_and_a_yes_shows_whom_it_binds({ browser, server }) {
  for (const [rules, cost] of [['berkeley-any', 'must capture with a pawn'], ['english', 'must try one pawn capture first']]) {
    const { visitor, page } = await joined({ browser, server }, { rules, start: '4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1' }, { width: 390, height: 844 });
    await sees(page, '.any-cost', cost);
    await page.getByRole('button', { name: 'Any?' }).click();
    await sees(page, '.bound-why', 'binds you');
    await counts(page.locator('.veil'), 2, 'king and rook lie under a veil');
    await page.locator('#typed-move').fill('e1e2');
    await page.keyboard.press('Enter');
    await sees(page, '.problem', 'binds you');
    await visitor.shot(`play-bound-${rules}`);
    await drag(page, 'e4', 'f5');
    await sees(page, '.refusals', 'e4f5');
    await counts(page.locator('.veil'), rules === 'english' ? 0 : 2, 'what binds after a try is a matter of the rules');
    await visitor.close();
  }
}

export async function a_man_who_captured_is_noted_and_can_be_guessed({ browser, server }) {
  // White's only legal move takes the bishop.
  const visitor = await visit(browser, server);
  const { page } = visitor;
  const game = await newGame(server, { as: 'black', start: 'b6k/6p1/7p/8/8/7n/7P/R6K w - - 0 1' });
  await visitor.open(game.path);
  await yourTurn(page);
  await counts(page.locator('.unknown'), 1, 'an unknown man stands where something captured');
  await page.getByRole('button', { name: 'Place an unknown man' }).click();
  await click(page, 'c3');
  await counts(page.locator('.unknown'), 2, 'and another where one puts him');
  await visitor.shot('play-unknown');
  await click(page, 'c3');
  await counts(page.locator('.unknown'), 1, 'a second click takes him away');
  await page.reload();
  await yourTurn(page);
  await counts(page.locator('.unknown'), 1, 'he is kept');
  await visitor.close();
}

export async function in_practice_a_move_is_taken_back_and_a_draw_is_offered({ browser, server }) {
  const { visitor, page } = await joined({ browser, server }, { practice: true });
  await counts(page.getByRole('button', { name: 'Take back' }), 0, 'there is nothing to take back');
  await drag(page, 'e2', 'e4');
  await sees(page, '.log', 'e2–e4');
  await yourTurn(page);
  await page.getByRole('button', { name: 'Take back' }).click();
  await sees(page, '.log', 'Nothing has happened yet.');
  await yourTurn(page);
  assert((await boardLabel(page)).includes('e2'), 'the pawn stands where it stood');
  await sees(page, '.belief-size', '1 possible position');
  await drag(page, 'd2', 'd4');
  await sees(page, '.log', 'd2–d4');
  await yourTurn(page);
  await page.reload();
  await sees(page, '.log', 'd2–d4');
  assert(!(await page.locator('.log').textContent()).includes('e2–e4'), 'what was taken back is gone for good');
  await page.getByRole('button', { name: 'Offer a draw' }).click();
  await sees(page, '.draw-said', 'The machine plays on.');
  await visitor.shot('play-draw');
  await visitor.close();
}

export async function a_clock_runs({ browser, server }) {
  const { visitor, page } = await joined({ browser, server }, { clock: { initial_ms: 180_000, increment_ms: 2000 } });
  const clock = page.getByRole('timer', { name: 'White’s clock' });
  await drag(page, 'e2', 'e4');
  await yourTurn(page);
  await page.waitForFunction(() => /^2:5|^3:0/.test(document.querySelector('.clock.running')?.textContent ?? ''));
  const before = await clock.textContent();
  await page.waitForTimeout(1500);
  assert((await clock.textContent()) !== before, `the clock stands at ${before}`);
  await visitor.shot('play-clock');
  await visitor.close();
}
