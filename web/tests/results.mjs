// Results: the match that the harness played, its curve, one of its games.

import { assert, sees, visit } from './harness.mjs';

export async function matches_are_listed_and_looked_into({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/results');
  await sees(page, '.list', 'greedy');
  await sees(page, '.list', '+0 =6 −0');
  await sees(page, 'section', 'The levels');
  await sees(page, 'main', 'nebel tournament random');
  await visitor.shot('results');
  await page.locator('.list a').first().click();
  await sees(page, 'h1', 'greedy – random');
  await sees(page, '.lead', '6 games under icc, seen from greedy: +0 =6 −0.');
  // Six draws are a flat line, which has no height and so does not count as visible.
  await page.locator('.chart polyline').waitFor({ state: 'attached' });
  await visitor.shot('results-match');
  await page.locator('.list a').first().click();
  await page.locator('.stepper').waitFor();
  await page.keyboard.press('End');
  await visitor.shot('results-game');
  await visitor.close();
}

export async function the_table_of_the_levels_fits_a_desktop({ browser, server }) {
  const visitor = await visit(browser, server, { width: 1280, height: 800, dark: true });
  const { page } = visitor;
  await visitor.open('#/results');
  await sees(page, 'section', 'The levels');
  const levels = page.getByRole('region', { name: 'The levels in a table' });
  await levels.getByText('Champion').waitFor();
  const [needed, shown] = await levels.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  assert(needed <= shown, `${needed} pixels in ${shown}`);
  await visitor.shot('results-dark');
  await visitor.close();
}

export async function an_empty_store_says_what_fills_it_and_shows_the_levels({ browser, server }) {
  const visitor = await visit(browser, server, { width: 390, height: 844, dark: true });
  const { page } = visitor;
  await page.route('**/api/results', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, matches: [], table: { players: [], ratings: [], scores: [] } } });
  });
  await visitor.open('#/results');
  await sees(page, '.notice', 'nebel match hs greedy --games 20 --keep');
  await sees(page, 'section', 'Champion');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= 390, `the results are ${width} pixels wide`);
  await visitor.shot('results-empty');
  await visitor.close();
}
