// The table explorer: place, paint, read, follow.

import { assert, click, counts, drag, sees, visit } from './harness.mjs';

export async function a_table_is_explored({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/tables');
  // The first question builds the table, which takes an unoptimised binary half a minute.
  page.setDefaultTimeout(120_000);
  await sees(page, '.big-number', 'Mate in');
  await counts(page.locator('.cg-shapes line'), 1, 'the attempt is an arrow');
  await visitor.shot('tables');
  const before = await page.locator('.big-number').textContent();
  await page.locator('.answers button').first().click();
  await page.waitForFunction((text) => document.querySelector('.big-number')?.textContent !== text, before);
  await visitor.shot('tables-followed');
  await page.getByRole('button', { name: 'Back' }).click();
  await sees(page, '.big-number', before);
  await visitor.close();
}

export async function squares_are_painted_and_men_placed({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/tables');
  await sees(page, '.big-number', 'Mate in');
  await page.getByRole('button', { name: 'King nowhere' }).click();
  await sees(page, '.verdict-box', 'Paint at least one square');
  await drag(page, 'e5', 'g5');
  await counts(page.locator('square.painted:visible'), 3, 'a stroke paints three squares');
  await sees(page, '.verdict-box', '3 possible squares');
  await click(page, 'f5');
  await sees(page, '.verdict-box', '2 possible squares');
  await page.getByRole('button', { name: 'Remove men' }).click();
  await click(page, 'a1');
  await page.getByText('As text: King c3', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Place a White rook' }).click();
  await click(page, 'h1');
  await sees(page, '.verdict-box', '2 possible squares');
  await visitor.shot('tables-painted');
  await page.getByText('As text:').click();
  await page.getByRole('textbox', { name: 'White’s men' }).fill('Kc3 Ra9');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await sees(page, '.problem', 'Kc3 Ra1');
  await page.getByRole('textbox', { name: 'White’s men' }).fill('Kc3 Ra1');
  await page.getByLabel('The king’s squares').fill('all');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await sees(page, '.big-number', 'Mate in');
  const squares = await page.locator('square.painted:visible').count();
  assert(squares === 62, `the king may be on all squares but two, not ${squares}`);
  await visitor.close();
}
