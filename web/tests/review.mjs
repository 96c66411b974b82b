// Review: the fog lifted step by step, beliefs with heat, files opened and saved.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, boardLabel, counts, drag, joined, nebelBinary, newGame, sees, visit, yourTurn } from './harness.mjs';

/** Plays 1. d3 (refused: exd3) e4 2. resigns, and opens the review. */
async function playedGame({ browser, server }) {
  const { visitor, page, game } = await joined({ browser, server });
  await drag(page, 'e2', 'd3');
  await sees(page, '.refusals', 'e2d3');
  await drag(page, 'e2', 'e4');
  await sees(page, '.log', 'e2–e4');
  await yourTurn(page);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  await page.getByRole('link', { name: 'Lift the fog' }).click();
  await page.locator('.stepper').waitFor();
  return { visitor, page, game };
}

export async function a_game_is_stepped_through_from_every_side({ browser, server }) {
  const { visitor, page } = await playedGame({ browser, server });
  // The fog is lifted: the own side, the last step, the hidden men.
  await sees(page, '.status-said', 'You lose.');
  await counts(page.locator('cg-auto-pieces piece.black'), 16, 'the hidden men are shown at the end');
  await sees(page, '.players', 'You – Drifter');
  await visitor.shot('review-lifted');
  await page.getByRole('button', { name: 'To the start' }).click();
  await page.getByLabel('Show the hidden men').uncheck();
  await sees(page, '.belief-size', '1 possible position');
  await counts(page.locator('cg-auto-pieces piece.black'), 16, 'what is certain has a ghost');
  const next = page.getByRole('button', { name: 'On', exact: true });
  await next.click();
  await sees(page, '.status-said', 'Illegal: e2d3.');
  await counts(page.locator('.cg-shapes line'), 1, 'the refused attempt is an arrow');
  await next.click();
  await next.click();
  await sees(page, '.belief-size', 'possible positions, exact');
  await page.locator('square.heat').first().waitFor();
  assert(!(await boardLabel(page)).includes('e8'), 'White’s board shows no black king');
  await page.getByLabel('Show the hidden men').check();
  await counts(page.locator('cg-auto-pieces piece.black'), 16, 'the hidden men are revealed');
  await page.getByLabel('Show the hidden men').uncheck();
  await page.getByLabel('Figures').check();
  await page.getByRole('radio', { name: 'Pawn' }).check();
  await sees(page, '.heat-words', ' of ');
  await sees(page, '.known', 'Certainly legal');
  await visitor.shot('review-white');
  await page.getByRole('radio', { name: 'Umpire' }).check();
  assert((await boardLabel(page)).includes('Kings'), 'the umpire sees kings');
  await counts(page.locator('cg-board piece.black'), 16, 'the umpire sees Black');
  await visitor.shot('review-umpire');
  await page.getByRole('radio', { name: 'Black', exact: true }).check();
  await page.getByRole('button', { name: 'To the start' }).click();
  await next.click();
  // Under these rules Black does not hear the refusal: its first step is White's move.
  await sees(page, '.step-count', '2 / ');
  await page.keyboard.press('End');
  await sees(page, '.status-said', 'You win.');
  await page.keyboard.press('Home');
  await sees(page, '.step-count', '0 / ');
  await visitor.close();
}

export async function a_mate_is_sought_from_a_step({ browser, server }) {
  const { visitor, page } = await playedGame({ browser, server });
  await page.getByRole('button', { name: 'To the start' }).click();
  await page.getByRole('button', { name: 'Search a mate here' }).click();
  await sees(page, '.analysis', 'Its own rules count.');
  await page.getByRole('button', { name: 'Search' }).click();
  await sees(page, '.notice', 'No mate can be forced');
  await visitor.shot('review-mate');
  await visitor.close();
}

export async function the_curve_of_possible_positions_is_drawn({ browser, server }) {
  const { visitor, page } = await playedGame({ browser, server });
  await page.locator('.growth .chart polyline').waitFor();
  await visitor.shot('review-curve');
  await visitor.close();
}

export async function a_game_is_saved_and_opened_again({ browser, server }) {
  const { visitor, page } = await playedGame({ browser, server });
  await page.getByText('Download', { exact: true }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Transcript (JSON Lines)' }).click();
  const path = await (await saved).path();
  const text = readFileSync(path, 'utf8');
  assert(text.includes('"attempt":"e2e4"'), 'the transcript has the move');
  const pgn = page.waitForEvent('download');
  await page.getByRole('link', { name: 'PGN, in full' }).click();
  const written = readFileSync(await (await pgn).path(), 'utf8');
  assert(written.includes('1. e4'), 'the PGN has the move');
  assert(/\[Date "\d{4}\.\d\d\.\d\d"\]/.test(written), 'and a date');
  await visitor.open('#/review');
  await visitor.shot('review-open');
  await page.setInputFiles('input[type=file]', { name: 'game.jsonl', mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page.locator('.stepper').waitFor();
  await page.getByRole('button', { name: 'Open another' }).click();
  await page.getByLabel('Or paste it').fill(text);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await page.locator('.stepper').waitFor();
  await page.keyboard.press('ArrowRight');
  await sees(page, '.status-said', 'Illegal: e2d3.');
  await visitor.close();
}

/** A game of 120 moves between two machines, as a transcript. */
function longGame() {
  const folder = mkdtempSync(join(tmpdir(), 'nebel-long-'));
  const run = (...args) => {
    const done = spawnSync(nebelBinary(), args, { encoding: 'utf8', maxBuffer: 1 << 26 });
    assert(done.status === 0, `nebel ${args[0]}: ${done.stderr}`);
    return done.stdout;
  };
  const store = join(folder, 'long.db');
  run('match', 'greedy', 'greedy', '--games', '2', '--max-moves', '120', '--seed', '3', '--store', store);
  const games = run('results', store, '--reason', 'length', '--export', 'jsonl');
  rmSync(folder, { recursive: true, force: true });
  return `{"nebel"${games.split('{"nebel"')[1]}`;
}

async function openText(visitor, text) {
  await visitor.open('#/review');
  await visitor.page.getByLabel('Or paste it').fill(text);
  await visitor.page.getByRole('button', { name: 'Review', exact: true }).click();
  await visitor.page.locator('.stepper').waitFor();
}

export async function every_step_of_a_long_game_is_answered_at_once({ browser, server }) {
  const visitor = await visit(browser, server, { width: 1280, height: 800 });
  const { page } = visitor;
  await openText(visitor, longGame());
  await page.keyboard.press('End');
  // Until the work has come so far, its progress is told.
  await sees(page, '.belief-size', /working through the game, \d+%|possible|sampled|boards/);
  await page.waitForFunction(() => document.querySelector('.belief[aria-busy=false]'), null, { timeout: 300_000 });
  const steps = await page.locator('.log [data-at]').evaluateAll((all) => all.map((each) => Number(each.dataset.at)));
  assert(steps.length > 200, `${steps.length} steps`);
  const times = [];
  for (let index = 0; index < 120; index++) {
    const at = steps[(index * 37) % steps.length];
    times.push(
      await page.evaluate(async (step) => {
        const begun = performance.now();
        document.querySelector(`.log [data-at="${step}"]`).click();
        const isShown = () => document.querySelector('.step-count').textContent.startsWith(`${step} /`) && document.querySelector('.belief').getAttribute('aria-busy') === 'false';
        // A step that is shown already is told at once.
        while (!isShown()) await new Promise((later) => setTimeout(later, 4));
        return performance.now() - begun;
      }, at),
    );
  }
  // What the machine needs for nothing at all is no matter of the review: on a busy one that is much.
  const idle = await page.evaluate(async () => {
    const times = [];
    for (let index = 0; index < 40; index++) {
      const begun = performance.now();
      await (await fetch('/api/meta')).text();
      times.push(performance.now() - begun);
    }
    return times;
  });
  const percentile = (all) => all.sort((a, b) => a - b)[Math.floor(all.length * 0.95)];
  const [p95, nothing] = [percentile(times), percentile(idle)];
  console.log(`      review of ${steps.length} steps: median ${times[60].toFixed(0)} ms, p95 ${p95.toFixed(0)} ms; an empty request ${nothing.toFixed(0)} ms`);
  assert(p95 < 300 + 2 * nothing, `the 95th percentile of a step is ${p95} ms`);
  await visitor.shot('review-long');
  await visitor.close();
}

export async function the_log_follows_and_the_address_keeps_the_place({ browser, server }) {
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    const visitor = await visit(browser, server, { width, height });
    const { page } = visitor;
    const results = await (await fetch(`${server.url}/api/results`)).json();
    const match = results.matches[0].id;
    await visitor.open(`#/review/match/${match}/1`);
    await page.locator('.stepper').waitFor();
    const inLog = () =>
      page.evaluate(() => {
        const box = document.querySelector('.log').getBoundingClientRect();
        const mark = document.querySelector('.log [aria-current]').getBoundingClientRect();
        return mark.top >= box.top && mark.bottom <= box.bottom;
      });
    for (let step = 0; step < 30; step++) await page.keyboard.press('ArrowRight');
    await page.locator('.log [aria-current]').waitFor();
    assert(await inLog(), `the step is seen in the log at ${width}`);
    const said = await page.locator('.status-said').boundingBox();
    assert(said.y + 20 < height, `the umpire's sentence is above the fold at ${width}: ${said.y}`);
    const count = await page.locator('.step-count').textContent();
    const address = await page.evaluate(() => location.hash);
    assert(address === `#/review/match/${match}/1/white/${count.split(' ')[0]}`, `the address is ${address}`);
    await page.reload();
    await sees(page, '.step-count', count);
    await page.getByRole('radio', { name: 'Umpire' }).check();
    await page.waitForFunction(() => location.hash.includes('/umpire/'));
    await page.goto(`${server.url}/#/problems`);
    await page.locator('h1').waitFor();
    await page.goBack();
    await sees(page, '.step-count', '/');
    assert((await page.evaluate(() => location.hash)).includes('/umpire/'), 'Back keeps whose board it is');
    // Another place in the address of the page that is shown.
    await page.goto(`${server.url}/#/review/match/${match}/1/black/0`);
    await sees(page, '.step-count', '0 / ');
    await page.locator('.orientation-black').waitFor();
    await visitor.shot(`review-place-${width}`);
    await visitor.close();
  }
}

export async function the_machine_has_an_opinion_that_is_kept({ browser, server }) {
  const visitor = await visit(browser, server, { width: 1280, height: 800 });
  const { page } = visitor;
  // A mate in one that is certain, and was not tried.
  const game = await newGame(server, { start: '7k/8/5KQ1/8/8/8/8/8 w - - 0 1' });
  await visitor.open(game.path);
  await yourTurn(page);
  await drag(page, 'g6', 'g2');
  await sees(page, '.log', 'Qg6–g2');
  await yourTurn(page);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  // The end board reveals too.
  await counts(page.locator('cg-auto-pieces piece.king.black'), 1, 'the hidden king is shown at the end');
  await page.getByRole('link', { name: 'Lift the fog' }).click();
  await page.getByRole('button', { name: 'Ask the machine' }).click();
  await sees(page, '.points', 'A mate in 1 was certain');
  await page.locator('.opinion .chart polyline').waitFor({ state: 'attached' });
  await page.locator('.points button').first().click();
  await sees(page, '.step-count', '0 / ');
  await sees(page, '.this-turn', 'Here it would have tried');
  await sees(page, '.this-turn', 'It gave the true position certainty');
  await visitor.shot('review-opinion');
  await page.reload();
  await sees(page, '.points', 'A mate in 1 was certain');
  await counts(page.getByRole('button', { name: 'Ask the machine' }), 0, 'it is kept with the game');
  await visitor.close();
}

export async function the_machine_goes_through_a_whole_game({ browser, server }) {
  for (const [width, dark] of [[1280, false], [390, true]]) {
    const visitor = await visit(browser, server, { width, height: 844, dark });
    const { page } = visitor;
    const results = await (await fetch(`${server.url}/api/results`)).json();
    await visitor.open(`#/review/match/${results.matches[0].id}/1`);
    await page.getByRole('button', { name: 'Ask the machine' }).or(page.locator('.opinion .chart')).first().waitFor();
    const ask = page.getByRole('button', { name: 'Ask the machine' });
    if (await ask.count()) {
      await ask.click();
      await sees(page, '.opinion', /turn \d+ of \d+/);
    }
    await page.locator('.opinion progress').waitFor({ state: 'detached', timeout: 300_000 });
    await page.locator('.points button').nth(1).click();
    await sees(page, '.this-turn', 'Here it would have tried');
    await sees(page, '.this-turn', 'The hidden men stood where it thought');
    await page.getByLabel('Its board of probabilities').check();
    await visitor.shot(`review-opinion-${width}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(wide <= width, `the page is ${wide} pixels wide`);
    await visitor.close();
  }
}

export async function few_boards_are_leafed_through({ browser, server }) {
  const { visitor, page } = await playedGame({ browser, server });
  await page.getByLabel('Show the hidden men').uncheck();
  await page.getByRole('button', { name: 'To the start' }).click();
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
  const count = Number(/^(\d+) possible/.exec(await page.locator('.belief-size').filter({ hasText: 'possible positions' }).textContent())[1]);
  await sees(page, '.heat-words', `of ${count}`);
  await sees(page, '.leaf-count', `${count} boards`);
  await page.getByRole('button', { name: 'The next board' }).click();
  await sees(page, '.leaf-count', `Board 1 of ${count}`);
  await counts(page.locator('cg-auto-pieces piece.black'), 16, 'one board has all hidden men');
  await counts(page.locator('square.heat:visible'), 0, 'and no heat');
  await visitor.shot('review-leaf');
  await page.getByRole('button', { name: 'All together' }).click();
  await page.locator('square.heat').first().waitFor();
  await visitor.close();
}

export async function a_file_of_several_games_is_opened_one_by_one({ browser, server }) {
  const visitor = await visit(browser, server, { width: 390, height: 844 });
  const { page } = visitor;
  const game = (white) => `[Event "Kriegspiel"]\n[White "${white}"]\n[Black "somebody"]\n[Result "1-0"]\n[Date "2026.11.17"]\n[Rules "icc"]\n[Termination "resignation by black"]\n\n1. e4 {(:)} e5 {(:)} 1-0\n\n`;
  await visitor.open('#/review');
  await page.setInputFiles('input[type=file]', { name: 'games.pgn', mimeType: 'text/plain', buffer: Buffer.from(game('Ada') + game('Bertha')) });
  await sees(page, 'h2', '2 games in this file');
  await visitor.shot('review-several');
  await page.getByRole('button', { name: 'Bertha – somebody, 1-0, 2026.11.17' }).click();
  await page.locator('.stepper').waitFor();
  await page.getByRole('button', { name: 'Open another' }).click();
  await page.getByRole('button', { name: /^Ada/ }).press('Enter');
  await page.locator('.stepper').waitFor();
  await visitor.close();
}
