// Two people by link: two browsers, one game; a lost connection; a restarted server.

import { assert, drag, sees, visit, yourTurn } from './harness.mjs';

const WEBSOCKET = /WebSocket|ERR_CONNECTION|Failed to load resource/;

export async function two_people_play_by_link_and_a_rematch({ browser, server }) {
  const white = await visit(browser, server, { permissions: ['clipboard-read', 'clipboard-write'] });
  const black = await visit(browser, server, { width: 900 });
  await white.open('');
  await white.page.getByRole('button', { name: 'Play a friend by link' }).click();
  const invite = white.page.getByLabel('Link for the other player');
  await invite.waitFor();
  await white.shot('link-invite');
  await white.page.getByRole('button', { name: 'Copy' }).click();
  await white.page.getByRole('button', { name: 'Copied' }).waitFor();
  const url = await white.page.evaluate(() => navigator.clipboard.readText());
  assert(url === (await invite.inputValue()), 'the copied link is the shown one');
  assert(url.startsWith(`${server.url}/#/play/`), `the link leads here: ${url}`);
  await black.page.goto(url);
  await sees(black.page, '.status-turn', 'White to move');
  await sees(white.page, '.presence', 'connected');
  await drag(white.page, 'e2', 'e4');
  await yourTurn(black.page);
  await drag(black.page, 'd7', 'd5');
  await yourTurn(white.page);
  await sees(white.page, '.tries', 'You have 1 pawn try.');
  await drag(white.page, 'e4', 'd5');
  await sees(black.page, '.status-said', 'Your pawn on d5 was taken.');
  await black.shot('link-captured');
  const log = await black.page.locator('.log').textContent();
  assert(!log.includes('e2') && !log.includes('e4'), 'Black’s log names no square of White’s moves');
  await black.page.getByRole('button', { name: 'Resign' }).click();
  await black.page.getByRole('button', { name: 'Yes, resign' }).click();
  await sees(white.page, '.status-turn', 'You win.');
  const before = white.page.url();
  await white.page.getByRole('button', { name: 'Rematch' }).click();
  await black.page.getByRole('button', { name: 'Accept the rematch' }).click();
  await white.page.waitForURL((now) => now.href !== before);
  await yourTurn(black.page);
  await black.close();
  await sees(white.page, '.presence', 'not connected');
  await white.close();
}

export async function a_lost_connection_loses_nothing({ browser, server }) {
  const visitor = await visit(browser, server, { expected: WEBSOCKET });
  const { page } = visitor;
  await visitor.open('');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await yourTurn(page);
  await drag(page, 'e2', 'e4');
  await sees(page, '.log', 'e2–e4');
  await yourTurn(page);
  const before = await page.locator('.log').textContent();
  await server.kill();
  try {
    await sees(page, '.notice', 'The connection is lost');
    await visitor.shot('connection-lost');
  } finally {
    await server.restart();
  }
  await yourTurn(page);
  assert((await page.locator('.log').textContent()) === before, 'the log is the same after the restart');
  await drag(page, 'd2', 'd4');
  await sees(page, '.log', 'd2–d4');
  await visitor.close();
}
