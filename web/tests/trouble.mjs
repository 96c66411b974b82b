// Trouble: games that are not there, files that are none, pages that do not exist, a server that is gone.

import { newGame, sees, visit } from './harness.mjs';

const EXPECTED = /Failed to load resource|WebSocket/;

export async function unknown_games_and_secrets_are_refused_in_words({ browser, server }) {
  const visitor = await visit(browser, server, { expected: EXPECTED });
  const { page } = visitor;
  await visitor.open('#/play/nosuchgame/nosecret');
  await sees(page, 'h1', 'This game cannot be joined');
  await page.locator('.notice.error').waitFor();
  const game = await newGame(server, {});
  await visitor.open(`#/play/${game.id}/wrong-secret`);
  await sees(page, 'h1', 'This game cannot be joined');
  await visitor.shot('trouble-secret');
  await visitor.open(`#/review/${game.id}`);
  await sees(page, 'h1', 'No game to review here');
  await visitor.shot('trouble-review');
  await visitor.open('#/nowhere');
  await sees(page, 'h1', 'Lost in the fog');
  await visitor.close();
}

export async function a_bad_file_is_refused_in_a_sentence({ browser, server }) {
  const visitor = await visit(browser, server, { expected: EXPECTED });
  const { page } = visitor;
  await visitor.open('#/review');
  await page.getByLabel('Or paste it').fill('{"nebel":1,"rules":"icc"\nnonsense');
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await page.locator('.notice.error').waitFor();
  await visitor.shot('trouble-file');
  await visitor.close();
}

export async function a_bad_start_position_is_refused_in_a_sentence({ browser, server }) {
  const visitor = await visit(browser, server, { expected: EXPECTED });
  const { page } = visitor;
  await visitor.open('');
  await page.getByText('More options').click();
  await page.getByLabel('Start position').fill('no position');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.locator('.notice.error').waitFor();
  await visitor.shot('trouble-start');
  await visitor.close();
}

export async function a_server_that_is_gone_is_told({ browser, server }) {
  const visitor = await visit(browser, server, { expected: /Failed to load|WebSocket|ERR_/ });
  const { page } = visitor;
  await visitor.open('#/tables');
  await page.locator('.tables').waitFor();
  await server.kill();
  try {
    await page.getByRole('button', { name: 'King anywhere' }).click();
    await sees(page, '.notice.error', 'Is nebel still running?');
    await visitor.shot('trouble-server');
  } finally {
    await server.restart();
  }
  await visitor.close();
}
