// Runs every browser test against one server: `npm test`, or `npm test -- play review` for some of them.

import { startBrowser, startServer } from './harness.mjs';
import * as access from './access.mjs';
import * as analysis from './analysis.mjs';
import * as first from './first.mjs';
import * as keyboard from './keyboard.mjs';
import * as learn from './learn.mjs';
import * as link from './link.mjs';
import * as looks from './looks.mjs';
import * as phone from './phone.mjs';
import * as problems from './problems.mjs';
import * as play from './play.mjs';
import * as results from './results.mjs';
import * as review from './review.mjs';
import * as tables from './tables.mjs';
import * as trouble from './trouble.mjs';

const suites = { first, learn, play, link, review, analysis, problems, tables, results, looks, keyboard, phone, access, trouble };
const wanted = process.argv.slice(2);
const chosen = Object.entries(suites).filter(([name]) => wanted.length === 0 || wanted.includes(name));
if (chosen.length === 0) {
  console.error(`There is no such suite; there are ${Object.keys(suites).join(', ')}.`);
  process.exit(2);
}

const server = await startServer();
const browser = await startBrowser();
let failed = 0;
try {
  for (const [suite, tests] of chosen)
    for (const [name, test] of Object.entries(tests)) {
      const started = Date.now();
      const title = `${suite}: ${name.replaceAll('_', ' ')}`;
      try {
        await test({ server, browser });
        console.log(`ok    ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
      } catch (error) {
        failed += 1;
        console.log(`FAIL  ${title}\n${error.stack ?? error}`);
      }
    }
} finally {
  await browser.close();
  await server.stop();
}
console.log(failed === 0 ? 'All browser tests hold.' : `${failed} failed.`);
process.exit(failed === 0 ? 0 : 1);
