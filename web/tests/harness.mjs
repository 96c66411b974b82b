// What every browser test stands on: a server of its own with a temporary data folder, a headless
// Chromium, pages that note console errors and requests to other hosts, and hands for the board.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
export const shots = join(here, '..', 'screenshots');

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export function nebelBinary() {
  const named = process.env.NEBEL_BIN;
  const places = named ? [resolve(named)] : ['release', 'debug'].map((profile) => join(here, '../../target', profile, 'nebel'));
  const found = places.find(existsSync);
  if (!found) throw new Error(`No nebel at ${places.join(' or ')}: build it, or set NEBEL_BIN.`);
  return found;
}

const freePort = () =>
  new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });

/** Starts `nebel` with a store that has one small match in it. `restart` keeps port and data; `more` are further arguments. */
export async function startServer(...more) {
  const binary = nebelBinary();
  const data = mkdtempSync(join(tmpdir(), 'nebel-test-'));
  const match = spawnSync(binary, ['match', 'greedy', 'random', '--games', '6', '--max-moves', '60', '--seed', '1', '--store', join(data, 'arena.db')]);
  if (match.status !== 0) throw new Error(`nebel match failed: ${match.stderr}`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child;
  const start = async () => {
    const pages = process.env.NEBEL_PAGES ? ['--pages', process.env.NEBEL_PAGES] : [];
    child = spawn(binary, ['--port', String(port), '--data', data, ...pages, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => (said += text));
    for (let tries = 0; tries < 200; tries++) {
      if (child.exitCode !== null) throw new Error(`nebel stopped at once: ${said}`);
      if (await fetch(`${url}/api/meta`).then((answer) => answer.ok, () => false)) return;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error('nebel did not answer within 20 seconds');
  };
  const kill = () =>
    new Promise((done) => {
      if (child.exitCode !== null || child.signalCode !== null) return done();
      child.once('exit', done);
      child.kill('SIGKILL');
    });
  await start();
  return {
    url,
    kill,
    restart: start,
    stop: async () => {
      await kill();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export async function startBrowser() {
  mkdirSync(shots, { recursive: true });
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

export function assert(holds, message) {
  if (!holds) throw new Error(message);
}

/**
 * A fresh visitor. `close` fails if the page spoke to another host or logged an error that `expected` does
 * not match.
 */
export async function visit(browser, server, { width = 1200, height = 900, dark = false, expected = null, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const wrong = [];
  const outside = (url) => /^(https?|wss?):/.test(url) && new URL(url).host !== new URL(server.url).host;
  context.on('request', (request) => outside(request.url()) && wrong.push(`asked another host: ${request.url()}`));
  page.on('websocket', (socket) => outside(socket.url()) && wrong.push(`asked another host: ${socket.url()}`));
  page.on('console', (message) => message.type() === 'error' && !expected?.test(message.text()) && wrong.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  return {
    page,
    context,
    open: (path) => page.goto(`${server.url}/${path}`),
    shot: async (name) => {
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
    },
    close: async () => {
      await context.close();
      assert(wrong.length === 0, wrong.join('\n'));
    },
  };
}

/** Makes a game by the API and returns where to play it. */
export async function newGame(server, settings) {
  const answer = await fetch(`${server.url}/api/games`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ rules: 'icc', as: 'white', opponent: { player: 'random', move_ms: 50 }, clock: null, practice: false, ...settings }),
  });
  const game = await answer.json();
  assert(answer.status === 201, `a game was not made: ${JSON.stringify(game)}`);
  return { ...game, path: `#/play/${game.id}/${game.token}` };
}

/** A visitor at a fresh game in which it is their turn. */
export async function joined({ browser, server }, settings = {}, options = {}) {
  const visitor = await visit(browser, server, options);
  const game = await newGame(server, settings);
  await visitor.open(game.path);
  await yourTurn(visitor.page);
  return { visitor, page: visitor.page, game };
}

/** The middle of a square in the window. */
export async function squareAt(page, square) {
  const board = page.locator('cg-board');
  const box = await board.boundingBox();
  const black = (await page.locator('.orientation-black').count()) > 0;
  const file = 'abcdefgh'.indexOf(square[0]);
  const rank = Number(square[1]) - 1;
  const [x, y] = black ? [7 - file, rank] : [file, 7 - rank];
  return { x: box.x + ((x + 0.5) * box.width) / 8, y: box.y + ((y + 0.5) * box.height) / 8 };
}

export async function click(page, ...squares) {
  for (const square of squares) {
    const { x, y } = await squareAt(page, square);
    await page.mouse.click(x, y);
  }
}

export async function drag(page, from, to) {
  const a = typeof from === 'string' ? await squareAt(page, from) : from;
  const b = typeof to === 'string' ? await squareAt(page, to) : to;
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 3 });
  await page.mouse.up();
}

/** Waits until there are so many of something: the board draws itself a frame later. */
export async function counts(locator, wanted, message) {
  let found = 0;
  for (let tries = 0; tries < 60; tries++) {
    found = await locator.count();
    if (found === wanted) return;
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error(`${message}: ${found}, not ${wanted}`);
}

/** Waits until a text stands somewhere in an element. */
export const sees = (page, selector, text) => page.locator(selector).filter({ hasText: text }).first().waitFor();

export const yourTurn = (page) => sees(page, '.status-turn', 'Your turn');

/** The letters of men on the board by square, as a screen reader hears them. */
export const boardLabel = (page) => page.locator('.board').getAttribute('aria-label');
