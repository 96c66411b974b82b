// Learn and the rules: every lesson is gone through on the board, and every announcement leads to its explanation.

import { assert, click, counts, drag, joined, sees, visit, yourTurn } from './harness.mjs';

const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

const next = (page) => page.getByRole('link', { name: /^Next:/ }).click();

async function goThrough(visitor) {
  const { page } = visitor;
  await visitor.open('');
  await page.getByRole('link', { name: 'Learn it in some minutes' }).click();
  await sees(page, 'h2', 'A refusal tells something');
  await drag(page, 'a1', 'a8');
  await sees(page, '.status-said', 'Illegal: a1a8.');
  await sees(page, '.notice', 'something stands between the rook and a8');
  await counts(page.locator('.cg-shapes line'), 1, 'the refusal is an arrow');
  await drag(page, 'a1', 'a5');
  await sees(page, '.status-said', 'You took a piece on a5.');
  await sees(page, '.notice.good', 'Every refusal drew a line');
  await counts(page.locator('cg-board piece.black'), 1, 'the fog lifts: the other king is seen');
  await next(page);
  await sees(page, '.status-said', 'Your pawn on e4 was taken.');
  await page.locator('square.struck').waitFor({ state: 'attached' });
  await click(page, 'e1', 'e4');
  await sees(page, '.notice.good', 'surest thing');
  await next(page);
  await sees(page, '.status-said', 'You are in check on the long diagonal.');
  await page.locator('#typed-move').fill('g1f3');
  await page.keyboard.press('Enter');
  await sees(page, '.notice', 'still be in check');
  await page.locator('#typed-move').fill('c3');
  await page.keyboard.press('Enter');
  await sees(page, '.notice.good', 'The queen stood on a5');
  await next(page);
  await sees(page, '.tries', 'You have 2 pawn tries.');
  await visitor.shot('learn-tries');
  await page.locator('#typed-move').fill('exd5');
  await page.keyboard.press('Enter');
  await sees(page, '.notice', 'nothing is lost');
  await page.locator('#typed-move').fill('gxf5');
  await page.keyboard.press('Enter');
  await sees(page, '.notice.good', 'both take on f5');
  await next(page);
  await page.getByRole('button', { name: 'Any?' }).click();
  await sees(page, '.notice', 'only captures by pawns make sense');
  await page.locator('#typed-move').fill('cxd5');
  await page.keyboard.press('Enter');
  await sees(page, '.notice.good', 'A no would have been worth as much');
  await next(page);
  await sees(page, '.task', 'fence');
  await page.getByRole('button', { name: 'Hint' }).click();
  await counts(page.locator('.cg-shapes line'), 1, 'the hint is an arrow');
  for (const attempt of ['Ra8', 'Re8', 'Rh8']) {
    await page.locator('#typed-move').fill(attempt);
    await page.keyboard.press('Enter');
    await sees(page, '.line', { Ra8: 'Ra7–a8', Re8: 'Ra8–e8', Rh8: 'Re8–h8' }[attempt]);
  }
  await sees(page, '.notice.good', 'Mate, without having seen the king once');
  await visitor.shot('learn-mate');
  await counts(page.locator('.lesson-steps .tick'), 6, 'all lessons are marked');
  await page.reload();
  await counts(page.locator('.lesson-steps .tick'), 6, 'and stay so');
  await page.getByRole('link', { name: 'Rules', exact: true }).or(page.getByRole('link', { name: 'the rules' })).first().click();
  await sees(page, 'h1', 'The rules');
}

export async function every_lesson_is_gone_through({ browser, server }) {
  const visitor = await visit(browser, server, { width: 1280, height: 800 });
  await goThrough(visitor);
  await visitor.close();
}

export async function lessons_fit_a_phone_in_the_dark({ browser, server }) {
  const visitor = await visit(browser, server, { ...PHONE, dark: true });
  const { page } = visitor;
  for (const lesson of ['refusal', 'check', 'any', 'mate']) {
    await visitor.open(`#/learn/${lesson}`);
    await page.locator('cg-board').waitFor();
    await visitor.shot(`phone-learn-${lesson}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(width <= 390, `lesson ${lesson} is ${width} pixels wide`);
  }
  await visitor.open('#/learn/refusal');
  await page.locator('cg-board').waitFor();
  await page.locator('.board').scrollIntoViewIfNeeded();
  await click(page, 'a1', 'a5');
  await sees(page, '.notice.good', 'Every refusal');
  await visitor.close();
}

export async function a_lesson_that_went_wrong_is_begun_again({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/learn/tries');
  await page.locator('cg-board').waitFor();
  await page.locator('#typed-move').fill('b5');
  await page.keyboard.press('Enter');
  await sees(page, '.notice', 'both tries are gone');
  await page.getByRole('button', { name: 'Start over' }).click();
  await sees(page, '.tries', 'You have 2 pawn tries.');
  await visitor.close();
}

export async function the_rules_have_a_table_of_six_and_diagrams({ browser, server }) {
  for (const [name, options] of Object.entries({ wide: { width: 1280, height: 800 }, phone: { ...PHONE, dark: true } })) {
    const visitor = await visit(browser, server, options);
    const { page } = visitor;
    await visitor.open('#/rules');
    await counts(page.locator('.rules thead th'), 7, 'six rulesets stand beside each other');
    await sees(page, '.rules table', 'from which squares');
    await counts(page.locator('.diagram cg-board'), 4, 'there are diagrams');
    await visitor.shot(`rules-${name}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(width <= options.width, `the rules are ${width} pixels wide`);
    await visitor.open('#/rules/tries');
    await sees(page, '.rules table', 'how many');
    const top = await page.locator('#rules-tries').evaluate((chapter) => chapter.getBoundingClientRect().top);
    assert(Math.abs(top) < options.height / 2, `the chapter is scrolled to: ${top}`);
    await visitor.close();
  }
}

export async function an_announcement_explains_itself_by_mouse_and_by_keys({ browser, server }) {
  const { visitor, page } = await joined({ browser, server }, { start: '4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1' });
  await page.locator('#typed-move').fill('e4f5');
  await page.keyboard.press('Enter');
  const said = page.getByRole('button', { name: 'Illegal: e4f5.' });
  await said.click();
  await page.locator('.said-about').filter({ hasText: 'Try something else' }).waitFor();
  await visitor.shot('said-about');
  await page.keyboard.press('Escape');
  await page.locator('.said-about').filter({ hasText: 'Try something else' }).waitFor({ state: 'hidden' });
  await said.focus();
  await page.keyboard.press('Enter');
  const rules = page.getByRole('link', { name: 'In the rules' }).first();
  assert((await rules.getAttribute('href')) === '#/rules/refused', 'it leads to its chapter');
  assert((await rules.getAttribute('target')) === '_blank', 'and leaves the game alone');
  await visitor.close();
}

export async function every_sentence_of_the_log_and_of_a_review_leads_to_the_rules({ browser, server }) {
  for (const [name, options] of Object.entries({ desktop: { dark: true }, phone: PHONE })) {
    const { visitor, page } = await joined({ browser, server }, { start: '4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1' }, options);
    const explained = async (place, how) => {
      const sentence = page.locator(place).getByRole('button', { name: 'Black has 1 pawn try.' });
      await (how === 'keys' ? sentence.press('Enter') : sentence.click());
      const about = page.locator('.said-about:popover-open');
      await about.filter({ hasText: 'Captures that pawns of the side to move can make now' }).waitFor();
      assert((await about.getByRole('link').getAttribute('href')) === '#/rules/tries', `${place} leads to its chapter`);
      if (how === 'keys') await visitor.shot(`said-about-${name}`);
      await page.keyboard.press('Escape');
      await counts(about, 0, 'and is closed again');
    };
    await page.locator('#typed-move').fill('e1e2');
    await page.keyboard.press('Enter');
    await sees(page, '.log', '1 pawn try');
    await explained('.log', 'mouse');
    const stops = await page.locator('.log .said').evaluateAll((all) => all.filter(({ tabIndex }) => tabIndex >= 0).length);
    assert(stops === 0, 'the Tab key is not held up by the log');
    await yourTurn(page);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Yes, resign' }).click();
    await page.getByRole('link', { name: 'Lift the fog' }).click();
    await page.getByRole('button', { name: 'To the start' }).click();
    await sees(page, '.status-said', 'The start');
    await page.getByRole('button', { name: 'On', exact: true }).click();
    await explained('.status-said', 'keys');
    await explained('.log', 'mouse');
    await visitor.close();
  }
}
