// Without a mouse: a game is started, played and reviewed by keys alone, and what happens is announced.

import { assert, joined, sees, visit, yourTurn } from './harness.mjs';

const focused = (page) => page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label') || document.activeElement?.id || '');

async function tabTo(page, name) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)).includes(name)) return;
  }
  throw new Error(`“${name}” cannot be reached by Tab`);
}

export async function a_game_is_played_by_keys_alone({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await page.locator('.choice label.chosen').first().waitFor();
  await page.keyboard.press('Tab');
  assert((await focused(page)).includes('Skip'), 'the first stop skips to the content');
  const skip = page.locator('.skip');
  assert((await skip.boundingBox()).y >= 0, 'and is seen when focused');
  for (let presses = 0; (await focused(page)) !== 'Play' || !(await page.evaluate(() => document.activeElement.matches('button'))); presses++) {
    assert(presses < 40, 'Play can be reached');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await yourTurn(page);
  await tabTo(page, 'typed-move');
  await page.keyboard.type('e2d3');
  await page.keyboard.press('Enter');
  await sees(page, '[aria-live=polite]', 'Illegal: e2d3.');
  await page.keyboard.type('e2d3');
  await page.keyboard.press('Enter');
  await sees(page, '.problem', 'refused already');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Nf3');
  await page.keyboard.press('Enter');
  await sees(page, '.log', 'Ng1–f3');
  await yourTurn(page);
  await sees(page, '[aria-live=polite]', 'Your turn.');
  await tabTo(page, 'Your men in words');
  await page.keyboard.press('Enter');
  await sees(page, '.in-words', 'knights b1 and f3');
  await visitor.shot('keyboard');
  await visitor.close();
}

export async function a_promotion_is_chosen_by_keys({ browser, server }) {
  const { visitor, page } = await joined({ browser, server }, { start: '8/4P3/8/8/8/8/k7/4K3 w - - 0 1' });
  await page.locator('#typed-move').focus();
  await page.keyboard.type('e8=N');
  await page.keyboard.press('Enter');
  await sees(page, '.log', 'e7–e8=N');
  await visitor.close();
}
