// The analysis board: a proof found and clicked through.

import { assert, click, counts, drag, sees, visit } from './harness.mjs';

export async function a_mate_is_proved_and_clicked_through({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/analysis');
  await sees(page, '.set-up', 'Positions 2');
  await visitor.shot('analysis');
  await page.getByRole('button', { name: 'Search' }).click();
  await sees(page, '.notice.good', 'White mates in 2 (3 plies)');
  await sees(page, '.proof-step', 'Try ');
  await sees(page, '.explorer', '2 possible positions');
  await page.locator('square.heat').first().waitFor();
  await visitor.shot('analysis-proof');
  await page.locator('.answers').getByRole('button', { name: 'Illegal.' }).click();
  await sees(page, '.explorer', '1 possible position.');
  await page.locator('.answers button').first().click();
  await sees(page, '.answers', 'Checkmate.');
  await visitor.shot('analysis-mate');
  await page.getByRole('button', { name: 'To the start' }).click();
  await sees(page, '.explorer', '2 possible positions');
  await visitor.close();
}

export async function positions_are_set_up_by_hand({ browser, server }) {
  const visitor = await visit(browser, server, { expected: /status of 400/ });
  const { page } = visitor;
  await visitor.open('#/analysis');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Place a White king' }).click();
  await click(page, 'f6');
  await page.getByRole('button', { name: 'Place a White queen' }).click();
  await click(page, 'a4');
  await page.getByRole('button', { name: 'Place a Black king' }).click();
  await click(page, 'h8');
  await page.getByRole('button', { name: 'Another like this' }).click();
  await drag(page, 'h8', 'g8');
  const text = await page.getByLabel('As text, one FEN a line').inputValue();
  assert(text === '7k/8/5K2/8/Q7/8/8/8 w - - 0 1\n6k1/8/5K2/8/Q7/8/8/8 w - - 0 1', `the text follows the board: ${text}`);
  await page.getByLabel('As text, one FEN a line').fill('nonsense');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('.notice.error').waitFor();
  await visitor.shot('analysis-error');
  await visitor.close();
}

export async function a_long_search_shows_progress_and_is_cancelled({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/analysis');
  // The prover is quicker than the eye, so its answer is held back until the search was cancelled.
  let cancelled = false;
  await page.route('**/api/jobs/*', (route) => {
    if (route.request().method() === 'DELETE') {
      cancelled = true;
      return route.continue();
    }
    return route.fulfill({ json: { state: 'running', seconds: 7.3 } });
  });
  await page.getByRole('button', { name: 'Search' }).click();
  await sees(page, '.running', 'Searching: 7.3 of 30 seconds');
  await visitor.shot('analysis-running');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await counts(page.locator('.running'), 0, 'nothing runs');
  for (let tries = 0; !cancelled && tries < 40; tries++) await page.waitForTimeout(50);
  assert(cancelled, 'the server was told to stop');
  await visitor.close();
}
