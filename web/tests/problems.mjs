// Problems as training: browsed as small boards, solved against the worst answer and against every reply, hinted, kept.

import { assert, counts, sees, visit } from './harness.mjs';

const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

async function api(server, path, body) {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json', origin: server.url }, body: JSON.stringify(body) };
  return (await fetch(`${server.url}/api/${path}`, init)).json();
}

async function proofOf(server, problem) {
  const { job } = await api(server, 'solve', { rules: problem.rules, plies: problem.plies, positions: problem.positions, time: 60 });
  for (;;) {
    await new Promise((later) => setTimeout(later, 100));
    const solved = await api(server, `jobs/${job}`);
    if (solved.state !== 'running') return solved.result.strategy;
  }
}

/** Types an attempt after the line `before` and returns what the umpire answered. */
async function attempted(page, attempt, before) {
  // The page asks what stands before any attempt as well.
  const isIts = (request) => request.url().endsWith('/api/problems/answer') && JSON.parse(request.postData()).try === attempt;
  let response = null;
  const answered = page.waitForResponse((each) => isIts(each.request()), { timeout: 60_000 }).then((found) => (response = found));
  // The last answer is here before the page shows it, and what is typed until then is not taken: it is typed once more, if it was not.
  for (const until = Date.now() + 60_000; !response && Date.now() < until; ) {
    if ((await page.locator('.line li').count()) === before && (await page.locator('.typed button:enabled').count()) > 0) {
      await page.locator('#typed-move').fill(attempt);
      await page.keyboard.press('Enter');
    }
    await Promise.race([answered, new Promise((later) => setTimeout(later, 500))]);
  }
  return (await answered).json();
}

const after = (strategy, { heard, then }) => (heard === 'illegal' ? strategy.illegal : strategy.legal[heard].then[then]);

export async function problems_of_all_lengths_are_browsed_mates_first({ browser, server }) {
  const visitor = await visit(browser, server, { width: 1280, height: 800 });
  const { page } = visitor;
  await visitor.open('#/problems');
  await counts(page.locator('.cards a'), 4, 'problems of 3, 5, 7 and 9 plies');
  await sees(page, '.cards', 'Mate in 5');
  await page.getByRole('link', { name: 'Today’s problem' }).waitFor();
  await visitor.shot('problems');
  await page.locator('.cards a').first().click();
  await counts(page.locator('.problem-grid .mini'), 24, 'a page of small boards');
  await sees(page, '.pager', '1–24 of 500');
  const label = await page.locator('.mini').first().getAttribute('aria-label');
  assert(/^King [a-h][1-8]/.test(label), `a small board is told in words: ${label}`);
  await page.getByRole('radio', { name: 'No mate' }).check();
  await sees(page, '.pager', '1–24 of 500');
  await page.getByRole('button', { name: 'More' }).click();
  await sees(page, '.pager', '25–48 of 500');
  await page.getByRole('radio', { name: 'All' }).check();
  await sees(page, '.pager', '1–24 of 1000');
  await visitor.shot('problems-list');
  await visitor.close();
}

export async function a_problem_is_solved_by_hand_marked_and_its_proof_shown({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  const problem = await api(server, 'collections/berkeley-3/1');
  await visitor.open('#/problems/berkeley-3/1');
  await sees(page, '.status-turn', 'White to move');
  await page.locator('#typed-move').waitFor();
  await visitor.shot('problem');
  // The umpire's worst answers are followed through the proof.
  let strategy = await proofOf(server, problem);
  for (let length = 0; ; length++) {
    const answer = await attempted(page, strategy.try, length);
    if (answer.mate) break;
    strategy = after(strategy, answer);
  }
  await sees(page, '.notice.good', 'Solved.');
  const line = await page.locator('.line').textContent();
  assert(/Checkmate\./.test(line) && !/Check by|to move/.test(line), `a line reads like a game: ${line}`);
  await visitor.shot('problem-solved');
  await page.locator('h1 .tick').waitFor();
  await visitor.open('#/problems');
  await sees(page, '.cards', '1 solved');
  await sees(page, '.daily', '1 day in a row');
  await visitor.open('#/problems/berkeley-3/1');
  await page.getByRole('button', { name: 'There is no mate' }).click();
  await sees(page, '.notice.error', 'There is one.');
  await page.getByRole('button', { name: 'Show the proof' }).click();
  await sees(page, '.proof-step', 'Try ');
  await visitor.shot('problem-proof');
  await visitor.close();
}

export async function a_problem_is_solved_against_every_reply({ browser, server }) {
  const visitor = await visit(browser, server, { width: 1280, height: 800 });
  const { page } = visitor;
  // One whose first attempt has several answers that are no mate.
  let [number, proof] = [0, null];
  for (let others = []; others.length === 0; ) {
    number += 1;
    const problem = await api(server, `collections/berkeley-3/${number}`);
    proof = await proofOf(server, problem);
    ({ others } = await api(server, 'problems/answer', { rules: problem.rules, positions: problem.positions, plies: problem.plies, try: proof.try }));
  }
  await visitor.open(`#/problems/berkeley-3/${number}`);
  await page.getByRole('radio', { name: 'every reply' }).check();
  await page.locator('#typed-move').waitFor();
  let branches = 0;
  for (let line = []; ; branches++) {
    let strategy = line.reduce(after, proof);
    for (;;) {
      const answer = await attempted(page, strategy.try, line.length);
      line = [...line, answer];
      if (answer.mate) break;
      strategy = after(strategy, answer);
    }
    await page.locator('.notice.good').waitFor();
    if ((await page.getByRole('button', { name: 'The next answer' }).count()) === 0) break;
    await sees(page, '.notice.good', 'to be solved');
    // The line of the next answer is what the page asks the umpire about.
    const asked = page.waitForResponse((response) => response.url().endsWith('/api/problems/answer'));
    await page.getByRole('button', { name: 'The next answer' }).click();
    line = JSON.parse((await asked).request().postData()).line;
    await page.locator('#typed-move').waitFor();
  }
  assert(branches > 0, 'there was more than one answer');
  await sees(page, '.notice.good', 'Mate after every reply. Solved.');
  await visitor.shot('problem-every');
  await page.getByRole('img', { name: 'solved against every reply' }).waitFor();
  await visitor.close();
}

export async function a_hint_comes_in_three_steps({ browser, server }) {
  const visitor = await visit(browser, server, { ...PHONE, dark: true });
  const { page } = visitor;
  await visitor.open('#/problems/berkeley-3/2');
  await page.locator('#typed-move').waitFor();
  await page.getByRole('button', { name: 'Hint', exact: true }).click();
  await sees(page, '.hints', 'Look at the');
  await page.getByRole('button', { name: 'Hint 2 of 3' }).click();
  await sees(page, '.hints', 'goes to');
  await page.getByRole('button', { name: 'Hint 3 of 3' }).press('Enter');
  await sees(page, '.hints', 'leads to mate');
  await counts(page.locator('.cg-shapes line'), 1, 'the whole attempt is an arrow');
  await visitor.shot('phone-problem-hints');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(width <= 390, `the problem is ${width} pixels wide`);
  await visitor.close();
}

export async function the_problem_of_the_day_is_a_mate({ browser, server }) {
  const visitor = await visit(browser, server, PHONE);
  const { page } = visitor;
  await visitor.open('#/problems');
  await page.getByRole('link', { name: 'Today’s problem' }).click();
  await page.locator('#typed-move').waitFor();
  const [, , collection, number] = new URL(page.url()).hash.split('/');
  assert((await api(server, `collections/${collection}/${number}`)).guaranteed === true, 'it is a mate');
  await visitor.shot('phone-problem');
  await visitor.close();
}
