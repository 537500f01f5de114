import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { missing } from './debian-packages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('goes back to a second before every order was deleted, by the commands of the guide', {
  timeout: 900_000,
}, async context => {
  const lacking = await missing({ probe: ['pgbackrest', 'version'], packages: ['pgbackrest', 'postgresql'] });
  context.skip(lacking !== null, `${lacking} is missing`);
  const lab = promisify(execFile)(process.execPath, ['tools/run.mjs', 'lab', 'pitr'], { cwd: ROOT, timeout: 800_000 });
  const { stdout } = await lab;
  expect(stdout).toMatch(
    /16 orders from before that second are there, 8 later ones are gone, and ord_\w+ was paid since/,
  );
  expect(stdout).toMatch(/^0 wrong$/m);
});
