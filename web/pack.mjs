// Packs what the build has made, so that the server can send it packed: text shrinks to a third, fonts do not.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const out = process.env.NEBEL_WEB_OUT || 'dist';
for (const name of readdirSync(out, { recursive: true })) {
  if (!/\.(html|js|css|svg)$/.test(name)) continue;
  writeFileSync(join(out, `${name}.gz`), gzipSync(readFileSync(join(out, name)), { level: 9 }));
}
