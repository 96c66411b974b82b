// The analysis board and the problems: a proof found, clicked through, and a problem solved by hand.

import { assert, click, counts, drag, sees, visit } from './harness.mjs';

export async function a_mate_is_proved_and_clicked_through({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/analysis');
  await sees(page, '.set-up', 'Positions 2');
  await visitor.shot('analysis');
  await page.getByRole('button', { name: 'Search' }).click();
  await sees(page, '.notice.good', 'White mates in 2 (3 plies)');
  await sees(page, '.proof-step', 'Try ');
  await sees(page, '.explorer', '2 possible positions');
  await page.locator('square.heat').first().waitFor();
  await visitor.shot('analysis-proof');
  await page.locator('.answers').getByRole('button', { name: 'Illegal.' }).click();
  await sees(page, '.explorer', '1 possible position.');
  await page.locator('.answers button').first().click();
  await sees(page, '.answers', 'Checkmate.');
  await visitor.shot('analysis-mate');
  await page.getByRole('button', { name: 'To the start' }).click();
  await sees(page, '.explorer', '2 possible positions');
  await visitor.close();
}

export async function positions_are_set_up_by_hand({ browser, server }) {
  const visitor = await visit(browser, server, { expected: /status of 400/ });
  const { page } = visitor;
  await visitor.open('#/analysis');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Place a White king' }).click();
  await click(page, 'f6');
  await page.getByRole('button', { name: 'Place a White queen' }).click();
  await click(page, 'a4');
  await page.getByRole('button', { name: 'Place a Black king' }).click();
  await click(page, 'h8');
  await page.getByRole('button', { name: 'Another like this' }).click();
  await drag(page, 'h8', 'g8');
  const text = await page.getByLabel('As text, one FEN a line').inputValue();
  assert(text === '7k/8/5K2/8/Q7/8/8/8 w - - 0 1\n6k1/8/5K2/8/Q7/8/8/8 w - - 0 1', `the text follows the board: ${text}`);
  await page.getByLabel('As text, one FEN a line').fill('nonsense');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('.notice.error').waitFor();
  await visitor.shot('analysis-error');
  await visitor.close();
}

export async function a_long_search_shows_progress_and_is_cancelled({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/analysis');
  // The prover is quicker than the eye, so its answer is held back until the search was cancelled.
  let cancelled = false;
  await page.route('**/api/jobs/*', (route) => {
    if (route.request().method() === 'DELETE') {
      cancelled = true;
      return route.continue();
    }
    return route.fulfill({ json: { state: 'running', seconds: 7.3 } });
  });
  await page.getByRole('button', { name: 'Search' }).click();
  await sees(page, '.running', 'Searching: 7.3 of 30 seconds');
  await visitor.shot('analysis-running');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await counts(page.locator('.running'), 0, 'nothing runs');
  for (let tries = 0; !cancelled && tries < 40; tries++) await page.waitForTimeout(50);
  assert(cancelled, 'the server was told to stop');
  await visitor.close();
}

export async function problems_are_browsed_and_filtered({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  await visitor.open('#/problems');
  await page.locator('.cards a').first().waitFor();
  await visitor.shot('problems');
  await page.locator('.cards a').first().click();
  await page.locator('.list tbody tr').first().waitFor();
  await counts(page.locator('.list tbody tr'), 50, 'a page of problems');
  await sees(page, '.pager', '1–50 of 1000');
  await page.getByRole('radio', { name: 'No mate' }).check();
  await sees(page, '.pager', '1–50 of 500');
  await page.getByRole('button', { name: 'More' }).click();
  await sees(page, '.pager', '51–100 of 500');
  await visitor.shot('problems-list');
  await visitor.close();
}

export async function a_problem_is_solved_by_hand_and_its_proof_shown({ browser, server }) {
  const visitor = await visit(browser, server);
  const { page } = visitor;
  const api = async (path, body) => {
    const init = body && { method: 'POST', headers: { 'content-type': 'application/json', origin: server.url }, body: JSON.stringify(body) };
    return (await fetch(`${server.url}/api/${path}`, init)).json();
  };
  const [collection] = await api('collections');
  const { problems } = await api(`collections/${collection.name}?offset=0&limit=50`);
  const { number } = problems.find(({ guaranteed }) => guaranteed);
  const problem = await api(`collections/${collection.name}/${number}`);
  const { job } = await api('solve', { rules: problem.rules, plies: problem.plies, positions: problem.positions, time: 60 });
  let solved;
  for (let state = 'running'; state === 'running'; ) {
    await new Promise((later) => setTimeout(later, 100));
    solved = await api(`jobs/${job}`);
    state = solved.state;
  }
  await visitor.open(`#/problems/${collection.name}/${problem.number}`);
  await sees(page, '.status-turn', 'White to move');
  await page.locator('#typed-move').waitFor();
  await visitor.shot('problem');
  // The umpire's worst answers are followed through the proof.
  let strategy = solved.result.strategy;
  while (strategy) {
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/problems/answer'));
    await page.locator('#typed-move').fill(strategy.try);
    await page.keyboard.press('Enter');
    const { heard, then, mate } = await (await answered).json();
    if (mate) break;
    strategy = heard === 'illegal' ? strategy.illegal : strategy.legal[heard].then[then];
  }
  await sees(page, '.notice.good', 'Solved.');
  await visitor.shot('problem-solved');
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('button', { name: 'There is no mate' }).click();
  await sees(page, '.notice.error', 'There is one.');
  await page.getByRole('button', { name: 'Show the proof' }).click();
  await sees(page, '.proof-step', 'Try ');
  await visitor.shot('problem-proof');
  await visitor.close();
}
