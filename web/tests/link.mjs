// Two people by link: two browsers, one game; a lost connection; a restarted server.

import { networkInterfaces } from 'node:os';
import { assert, counts, drag, joined, newGame, sees, startServer, visit, yourTurn } from './harness.mjs';

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
  // Nobody else could open it, and that is said.
  await sees(white.page, '.only-here', 'nebel --host 0.0.0.0');
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

export async function a_link_for_others_names_this_machine_in_the_network({ browser }) {
  const open = await startServer('--host', '0.0.0.0');
  try {
    const visitor = await visit(browser, open);
    const { page } = visitor;
    await visitor.open('');
    await page.getByRole('button', { name: 'Play a friend by link' }).click();
    const invite = page.getByLabel('Link for the other player', { exact: true });
    await invite.waitFor();
    const own = Object.values(networkInterfaces()).flat().filter(({ internal }) => !internal);
    if (own.length > 0) {
      await page.getByRole('img', { name: 'Link for the other player as a QR code' }).waitFor();
      const { hostname, port } = new URL(await invite.inputValue());
      assert(own.some(({ address }) => address === hostname || `[${address}]` === hostname), `${hostname} is an address of this machine`);
      assert(port === new URL(open.url).port, `the port is ${port}`);
      assert(await fetch(await invite.inputValue()).then(({ ok }) => ok), 'the link can be opened');
    } else await sees(page, '.only-here', 'Only this computer');
    await visitor.shot('link-network');
    await visitor.close();
  } finally {
    await open.stop();
  }
}

export async function others_watch_one_side_and_afterwards_everything({ browser, server }) {
  const white = await visit(browser, server);
  const black = await visit(browser, server);
  const game = await newGame(server, { opponent: { link: true } });
  await white.open(game.path);
  await black.open(game.invite.slice(1));
  await yourTurn(white.page);
  await white.page.getByText('Let others watch').click();
  const link = await white.page.getByLabel('Link to watch', { exact: true }).inputValue();
  await sees(white.page, '.watch-link', 'keep it from your opponent');
  await white.shot('watch-link');
  const watcher = await visit(browser, server, { width: 390, height: 844 });
  await watcher.page.goto(link);
  await sees(watcher.page, '.status', 'You watch White');
  await drag(white.page, 'e2', 'd3');
  await sees(watcher.page, '.status-said', 'e2d3');
  await drag(white.page, 'e2', 'e4');
  await sees(watcher.page, '.log', 'e2–e4');
  await drag(black.page, 'd7', 'd5');
  await sees(watcher.page, '.status-said', 'Black has moved.');
  await counts(watcher.page.locator('piece.black'), 0, 'no black man is seen while the game goes on');
  await counts(watcher.page.locator('#typed-move'), 0, 'who watches cannot move');
  await watcher.shot('watching');
  await white.page.getByRole('button', { name: 'Offer a draw' }).click();
  await sees(black.page, '.draw-said', 'White offers a draw');
  await black.page.getByRole('button', { name: 'Accept the draw' }).click();
  await sees(white.page, '.status-turn', 'Both sides agreed. The game is drawn.');
  await counts(watcher.page.locator('cg-auto-pieces piece.black'), 16, 'after the game all is seen');
  await watcher.page.getByRole('link', { name: 'Lift the fog' }).click();
  await watcher.page.locator('.stepper').waitFor();
  // The link of a side opens neither the other side nor a seat.
  await watcher.page.goto(link.replace('/watch/', '/play/'));
  await sees(watcher.page, '.status', 'agreed');
  for (const each of [white, black, watcher]) await each.close();
}
