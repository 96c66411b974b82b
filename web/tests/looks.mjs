// Looks: theme, board and men as the reader wants them, kept in the browser; the headings' own font.

import { assert, counts, joined, newGame, sees, visit, yourTurn } from './harness.mjs';

const ground = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

export async function looks_are_chosen_and_kept({ browser, server }) {
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    const { visitor, page } = await joined({ browser, server }, {}, { width, height, dark: true });
    const dark = await ground(page);
    await page.getByLabel('Looks: theme, board and men').click();
    await page.getByRole('radio', { name: 'Light' }).check();
    const light = await ground(page);
    assert(light !== dark, `the ground is ${light} in both themes`);
    await page.getByRole('radio', { name: 'Wood' }).check();
    await page.getByRole('radio', { name: 'Letters' }).check();
    await visitor.shot(`looks-${width}`);
    await page.reload();
    await yourTurn(page);
    assert((await ground(page)) === light, 'the theme is kept');
    const looks = await page.evaluate(() => ({ ...document.documentElement.dataset }));
    assert(looks.board === 'wood' && looks.men === 'letters' && looks.theme === 'light', JSON.stringify(looks));
    // Letters are fetched when they are wanted.
    const isLetter = () => getComputedStyle(document.querySelector('cg-board piece.king')).backgroundImage.includes('text');
    await page.waitForFunction(isLetter).catch(() => assert(false, 'the king is a letter'));
    await page.keyboard.press('Escape');
    await visitor.close();
  }
}

export async function headings_have_their_own_font({ browser, server }) {
  const visitor = await visit(browser, server);
  await visitor.open('');
  const has = await visitor.page.evaluate(async () => {
    await document.fonts.ready;
    return document.fonts.check('600 20px "Nebel Serif"') && [...document.fonts].some(({ family, status }) => family.includes('Nebel Serif') && status === 'loaded');
  });
  assert(has, 'the font of the headings has come');
  await visitor.close();
}

export async function games_are_listed_with_how_they_stand({ browser, server }) {
  const visitor = await visit(browser, server, { width: 390, height: 844 });
  const { page } = visitor;
  const won = await newGame(server, { start: '7k/8/5KQ1/8/8/8/8/8 w - - 0 1' });
  await visitor.open(won.path);
  await yourTurn(page);
  await page.locator('#typed-move').fill('g6g7');
  await page.keyboard.press('Enter');
  await sees(page, '.status-turn', 'You win.');
  const runs = await newGame(server, {});
  await visitor.open(runs.path);
  await yourTurn(page);
  await visitor.open('');
  await counts(page.locator('.recent li'), 2, 'both games are listed');
  await sees(page, '.recent li', 'your turn');
  await sees(page, '.recent li', 'won');
  await visitor.shot('games-listed');
  await page.locator('.recent li', { hasText: 'won' }).getByRole('link').click();
  await page.locator('.stepper').waitFor();
  await sees(page, '.players', 'You – Drifter');
  await visitor.close();
}

export async function what_ends_a_game_stays_together({ browser, server }) {
  for (const [width, height] of [[1280, 800], [390, 844]]) {
    const { visitor, page } = await joined({ browser, server }, { practice: true }, { width, height, dark: true });
    await page.locator('#typed-move').fill('e2e4');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Take back' }).waitFor();
    await yourTurn(page);
    const tops = await page.locator('.game-ends > button').evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top));
    assert(tops.length === 3 && new Set(tops).size === 1, `taking back, a draw and resigning stand in one line at ${width}: ${tops}`);
    await visitor.shot(`game-ends-${width}`);
    await visitor.close();
  }
}
