// Accessibility: axe finds nothing to object to on any page, light or dark.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { assert, drag, newGame, sees, visit } from './harness.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function objections(page, name) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document));
  assert(passes.length > 10, `axe looked at ${name}`);
  return violations.map(({ id, nodes }) => `${name}: ${id} at ${nodes[0].target.join(' ')}: ${nodes[0].failureSummary}`);
}

async function look({ browser, server }, dark) {
  const visitor = await visit(browser, server, { dark, bypassCSP: true });
  const { page } = visitor;
  const found = [];
  for (const path of ['', '#/learn', '#/learn/mate', '#/rules', '#/review', '#/problems', '#/problems/berkeley-3', '#/analysis', '#/results']) {
    await visitor.open(path);
    await page.locator('h1').first().waitFor();
    found.push(...(await objections(page, path || 'home')));
  }
  const game = await newGame(server, { practice: true });
  await visitor.open(game.path);
  await sees(page, '.belief-size', 'possible');
  await drag(page, 'e2', 'd3');
  await sees(page, '.refusals', 'e2d3');
  found.push(...(await objections(page, 'play')));
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  await page.getByRole('link', { name: 'Lift the fog' }).click();
  await page.getByRole('button', { name: 'To the start' }).click();
  await sees(page, '.belief-size', 'possible');
  // The same game may have been thought about already: then the opinion is there.
  const ask = page.getByRole('button', { name: 'Ask the machine' });
  await ask.or(page.locator('.this-turn')).first().waitFor();
  if (await ask.count()) await ask.click();
  await sees(page, '.this-turn', 'Here it would have tried');
  await page.getByLabel('Looks: theme, board and men').click();
  await sees(page, '.looks-box', 'Theme');
  found.push(...(await objections(page, 'review of a game')));
  const link = await newGame(server, { opponent: { link: true } });
  await visitor.open(link.path);
  await page.getByText('Let others watch').click();
  const watch = await page.getByLabel('Link to watch', { exact: true }).inputValue();
  found.push(...(await objections(page, 'a game by link')));
  await page.goto(watch);
  await sees(page, '.status', 'You watch White');
  found.push(...(await objections(page, 'watching')));
  const bound = await newGame(server, { rules: 'berkeley-any', start: '4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1' });
  await visitor.open(bound.path);
  await page.getByRole('button', { name: 'Any?' }).click();
  await sees(page, '.bound-why', 'binds you');
  found.push(...(await objections(page, 'bound by a yes')));
  await visitor.open('#/analysis');
  await page.getByRole('button', { name: 'Search' }).click();
  await sees(page, '.proof-step', 'Try ');
  found.push(...(await objections(page, 'proof')));
  await visitor.open('#/problems/berkeley-3/1');
  await page.locator('#typed-move').waitFor();
  found.push(...(await objections(page, 'problem')));
  // The last, because its first question may build a table.
  await visitor.open('#/tables');
  await page.locator('h1').waitFor();
  found.push(...(await objections(page, 'tables')));
  assert(found.length === 0, found.join('\n'));
  await visitor.close();
}

export const the_light_pages_can_be_used_by_all = (given) => look(given, false);

export const the_dark_pages_can_be_used_by_all = (given) => look(given, true);
