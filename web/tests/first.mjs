// The first page: how heavy it is, and how soon one plays.

import { assert, counts, sees, visit, yourTurn } from './harness.mjs';

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

const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export async function what_is_not_as_usual_stands_beside_play({ browser, server }) {
  for (const [name, options] of Object.entries({ wide: { width: 1280, height: 800 }, phone: { ...PHONE, dark: true } })) {
    const visitor = await visit(browser, server, options);
    const { page } = visitor;
    await visitor.open('');
    await page.locator('.level-line').waitFor();
    await counts(page.locator('.chosen-terms li'), 0, 'nothing is unusual at first');
    await page.getByText('More options').click();
    await page.locator('.more-grid select').first().selectOption('berkeley-any');
    await page.locator('.more-grid select').last().selectOption('5+3');
    await page.getByRole('combobox', { name: 'A particular player' }).fill('random');
    await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes('random'));
    await page.reload();
    // What the browser remembers is shown before anything is opened.
    await sees(page, '.chosen-terms', 'rules: Berkeley');
    await sees(page, '.chosen-terms', '5 minutes + 3 seconds');
    await sees(page, '.chosen-terms', 'against random, 0.5 s a move');
    await counts(page.locator('.levels input:checked'), 0, 'no level is chosen beside a particular player');
    await visitor.shot(`home-chosen-${name}`);
    await page.getByRole('button', { name: /^Not against random/ }).press('Enter');
    await counts(page.locator('.levels input:checked'), 1, 'the level counts again');
    await page.getByRole('button', { name: /^Not rules/ }).click();
    await page.getByRole('button', { name: /^Not 5 minutes/ }).click();
    await counts(page.locator('.chosen-terms li'), 0, 'all is as usual');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(width <= options.width, `the page is ${width} pixels wide`);
    await visitor.close();
  }
}

export async function levels_have_ratings_and_one_follows_the_person({ browser, server }) {
  const visitor = await visit(browser, server, { width: 1280, height: 800 });
  const { page } = visitor;
  const { levels } = await (await fetch(`${server.url}/api/meta`)).json();
  assert(levels.length === 8 && levels[0].rating === 0, `eight levels from 0: ${JSON.stringify(levels)}`);
  for (let index = 1; index < levels.length; index++) assert(levels[index].rating > levels[index - 1].rating, 'each is above the one below');
  const usual = levels.find(({ is_default }) => is_default);
  await visitor.open('');
  await sees(page, '.level-line', usual.about);
  await sees(page, '.level-line', `Rating ${usual.rating}`);
  await page.getByRole('radio', { name: '8 ' }).check();
  await sees(page, '.level-line', levels[7].about);
  await visitor.shot('home-levels');
  await page.getByRole('radio', { name: 'Like me' }).check();
  await sees(page, '.level-line', `for now: ${usual.name}`);
  // Lost games lead to a weaker one.
  for (let lost = 0; lost < 3; lost++) {
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await yourTurn(page);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Yes, resign' }).click();
    await sees(page, '.status-turn', 'You lose.');
    await visitor.open('#/');
    await sees(page, '.level-line', `By your ${lost + 1} game`);
  }
  const line = await page.locator('.level-line').textContent();
  assert(!line.includes(usual.name), `three losses lead to a weaker level: ${line}`);
  await visitor.close();
}
