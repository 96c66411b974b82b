// The pictures of the README, made from the running app: `npm run pictures` writes them into `docs/pictures`.
//
// The game is played against `random` from a fixed line, so the own men are the same each time; what the other side did may differ.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newGame, sees, startBrowser, startServer, visit, yourTurn } from '../tests/harness.mjs';
import { animated } from './apng.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures');
mkdirSync(folder, { recursive: true });
const write = (name, data) => {
  writeFileSync(join(folder, name), data);
  console.log(`${name}: ${(data.length / 1024).toFixed(0)} KB`);
};

const server = await startServer();
const browser = await startBrowser();
try {
  const visitor = await visit(browser, server, { width: 1100, height: 720 });
  const { page } = visitor;

  // A game in practice mode: what could stand where.
  const game = await newGame(server, { practice: true });
  await visitor.open(game.path);
  await yourTurn(page);
  const attempted = async (attempt) => {
    await page.locator('#typed-move').fill(attempt);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(700);
  };
  for (const attempt of ['e2e4', 'd2d4', 'g1f3', 'f1c4']) {
    await yourTurn(page);
    await attempted(attempt);
  }
  await yourTurn(page);
  await attempted('e4d5');
  await page.waitForTimeout(600);
  write('play.png', await page.screenshot());

  // The lesson on refusals, as a short animation.
  await visitor.open('#/learn/refusal');
  await sees(page, 'h2', 'A refusal tells something');
  const frames = [];
  const frame = async (ms) => {
    await page.waitForTimeout(350);
    frames.push({ png: await page.screenshot({ clip: { x: 0, y: 168, width: 1100, height: 540 }, scale: 'css' }), ms });
  };
  await frame(1500);
  for (const attempt of ['a1a8', 'a1a7', 'a1a6']) {
    await attempted(attempt);
    await frame(1100);
  }
  await attempted('a1a5');
  await sees(page, '.notice.good', 'Every refusal');
  await frame(2800);
  write('refusal.png', animated(frames));

  // The mate problem with its heat map.
  await visitor.open('#/learn/mate');
  await sees(page, '.task', 'fence');
  await attempted('Ra8');
  await page.waitForTimeout(500);
  write('mate.png', await page.screenshot());
  await visitor.close();
} finally {
  await browser.close();
  await server.stop();
}
