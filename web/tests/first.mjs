// The first page: how heavy it is, and how soon one plays.

import { assert, sees, visit, yourTurn } from './harness.mjs';

const LIMIT = 150 * 1024;

export async function the_first_page_is_light_and_plays_within_ten_seconds({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  let bytes = 0;
  const measured = [];
  page.on('response', (response) => {
    measured.push(
      response
        .request()
        .sizes()
        .then((sizes) => (bytes += sizes.responseBodySize + sizes.responseHeadersSize), () => undefined),
    );
  });
  const begun = Date.now();
  await visitor.open('');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await Promise.all(measured);
  console.log(`      first page: ${(bytes / 1024).toFixed(1)} KB`);
  assert(bytes > 10_000 && bytes < LIMIT, `the first page weighs ${bytes} bytes`);
  await visitor.shot('home');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await yourTurn(page);
  const seconds = (Date.now() - begun) / 1000;
  console.log(`      to the first move: ${seconds.toFixed(1)} s`);
  assert(seconds < 10, `it took ${seconds} s to get to a game`);
  await visitor.open('#/');
  await sees(page, '.recent', 'White against');
  await sees(page, '.standing', 'your turn');
  await page.getByText('More options').click();
  await visitor.shot('home-options');
  await visitor.close();
}

export async function the_dark_page_is_dark({ browser, server }) {
  const visitor = await visit(browser, server, { dark: true });
  await visitor.open('');
  await visitor.page.getByRole('button', { name: 'Play', exact: true }).click();
  await yourTurn(visitor.page);
  const ground = await visitor.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert(/rgb\((\d|[1-5]\d),/.test(ground), `the ground is ${ground}`);
  await visitor.shot('play-dark');
  await visitor.open('');
  await visitor.shot('home-dark');
  await visitor.close();
}
