// A phone of 360 pixels: nothing sticks out, and a finger can play.

import { assert, joined, newGame, sees, squareAt, visit, yourTurn } from './harness.mjs';

const PHONE = { width: 360, height: 740, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

async function fits(page, what) {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= 360, `${what} is ${width} pixels wide`);
}

export async function every_page_fits({ browser, server }) {
  const visitor = await visit(browser, server, PHONE);
  const { page } = visitor;
  const game = await newGame(server, { practice: true, clock: { initial_ms: 300_000, increment_ms: 3000 } });
  const pages = { home: '', play: game.path, review: '#/review', learn: '#/learn', rules: '#/rules', problems: '#/problems', collection: '#/problems/berkeley-3', analysis: '#/analysis', tables: '#/tables', results: '#/results' };
  for (const [name, path] of Object.entries(pages)) {
    await visitor.open(path);
    await page.waitForLoadState('networkidle');
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await visitor.shot(`phone-${name}`);
    await fits(page, name);
  }
  await visitor.close();
}

export async function a_finger_plays({ browser, server }) {
  const { visitor, page, game } = await joined({ browser, server }, {}, PHONE);
  for (const square of ['e2', 'e4']) {
    const { x, y } = await squareAt(page, square);
    await page.touchscreen.tap(x, y);
  }
  await sees(page, '.log', 'e2–e4');
  await yourTurn(page);
  await page.getByRole('button', { name: 'Place a pawn' }).tap();
  await page.locator('.board').scrollIntoViewIfNeeded();
  const { x, y } = await squareAt(page, 'd5');
  await page.touchscreen.tap(x, y);
  await page.locator('cg-auto-pieces piece.pawn.black').waitFor();
  await visitor.shot('phone-phantom');
  await fits(page, 'a game');
  await visitor.close();
}
