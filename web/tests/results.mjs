// Results: the match that the harness played, its curve, one of its games.

import { sees, visit } from './harness.mjs';

export async function matches_are_listed_and_looked_into({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/results');
  await sees(page, '.list', 'greedy');
  await visitor.shot('results');
  await page.locator('.list a').first().click();
  await sees(page, 'h1', 'greedy – random');
  // Six draws are a flat line, which has no height and so does not count as visible.
  await page.locator('.chart polyline').waitFor({ state: 'attached' });
  await visitor.shot('results-match');
  await page.locator('.list a').first().click();
  await page.locator('.stepper').waitFor();
  await page.keyboard.press('End');
  await visitor.shot('results-game');
  await visitor.close();
}
