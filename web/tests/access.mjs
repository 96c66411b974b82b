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
  for (const path of ['', '#/review', '#/problems', '#/analysis', '#/tables', '#/results']) {
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
  assert(found.length === 0, found.join('\n'));
  await visitor.close();
}

export const the_light_pages_can_be_used_by_all = (given) => look(given, false);

export const the_dark_pages_can_be_used_by_all = (given) => look(given, true);
