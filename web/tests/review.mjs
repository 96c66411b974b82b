// Review: the fog lifted step by step, beliefs with heat, files opened and saved.

import { readFileSync } from 'node:fs';
import { assert, boardLabel, counts, drag, joined, sees, visit, yourTurn } from './harness.mjs';

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
  await sees(page, '.belief-size', '1 possible position');
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
  await sees(page, '.heat-words', '%');
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
  await page.getByRole('button', { name: 'Search a mate here' }).click();
  await sees(page, '.analysis', 'Its own rules count.');
  await page.getByRole('button', { name: 'Search' }).click();
  await sees(page, '.notice', 'No mate can be forced');
  await visitor.shot('review-mate');
  await visitor.close();
}

export async function the_curve_of_possible_positions_is_drawn({ browser, server }) {
  const { visitor, page } = await playedGame({ browser, server });
  await page.getByRole('button', { name: 'Draw the curve' }).click();
  await page.locator('.chart polyline').waitFor();
  await page.getByRole('button', { name: 'Draw the curve' }).waitFor();
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
