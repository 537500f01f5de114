/** What is handed out for Python and Go, in an empty folder without the clone. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonVersion, versionOf } from '../../../tools/release/places.ts';
import { missing } from '../debian-packages.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const exec = promisify(execFile);
const { PATH = '' } = process.env;
const VERSION = versionOf(ROOT);
const WHEEL = `coinslot-${pythonVersion(VERSION)}-py3-none-any.whl`;

const noPython = await missing({
  probe: ['python3', '-c', 'import ensurepip, pip'],
  packages: ['python3-venv', 'python3-pip'],
});
const noGo = await missing({ probe: ['go', 'version'], packages: ['golang-go'] });
const left = [noPython, noGo].filter(why => why !== null);

let making: string;
let empty: string;

beforeAll(async () => {
  making = await mkdtemp(join(tmpdir(), 'coinslot-making-'));
  empty = await mkdtemp(join(tmpdir(), 'coinslot-empty-'));
});
afterAll(async () => {
  for (const folder of [making, empty]) await rm(folder, { recursive: true, force: true });
});

const run = (program: string, args: string[], cwd = empty, more = {}) =>
  exec(program, args, {
    cwd,
    env: { PATH, HOME: empty, PIP_NO_INDEX: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1', ...more },
  });

describe(`without the clone${left.length > 0 ? `; not run without ${left.join(', ')}` : ''}`, () => {
  test.skipIf(noPython)(
    'the wheel installs alone, the same bytes each time, and a webhook is handled once',
    async () => {
      const bytes: string[] = [];
      for (const name of ['once', 'again']) {
        const out = join(making, name);
        await run('python3', ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '-w', out, join(ROOT, 'packages/python')]);
        const [wheel = ''] = await readdir(out);
        expect(wheel).toBe(WHEEL);
        bytes.push((await run('sha256sum', [join(out, wheel)])).stdout.split(' ')[0] ?? '');
      }
      expect(bytes[0]).toBe(bytes[1]);
      await copyFile(join(making, 'once', WHEEL), join(empty, WHEEL));
      await run('python3', ['-m', 'venv', 'venv']);
      const python = join(empty, 'venv/bin/python');
      await run(python, ['-m', 'pip', 'install', '--quiet', `./${WHEEL}`]);
      const game = `
import coinslot
got = []
handler = coinslot.WebhookHandler("a signing secret", coinslot.SqliteStore("keys.db"), got.append, got.append)
event = coinslot.test_event("item.add", player_id="ann")
print([handler.receive(*coinslot.sign_webhook(event, "a signing secret"))[0] for _ in range(2)], len(got), coinslot.__file__)`;
      const { stdout } = await run(python, ['-I', '-c', game]);
      expect(stdout).toMatch(/^\[200, 200\] 1 /);
      expect(stdout).toContain(join(empty, 'venv'));
    },
  );

  test.skipIf(noGo)('the Go module builds from its archive, with the standard library alone', async () => {
    const archive = join(making, 'coinslot-go.tar.gz');
    await run('tar', ['-czf', archive, '-C', join(ROOT, 'packages'), 'go']);
    const folder = join(empty, 'game');
    await mkdir(folder);
    await run('tar', ['-xzf', archive], folder);
    const game = `package main

import (
	"fmt"

	"coinslot"
)

func main() {
	grant := func(coinslot.Event) error { return nil }
	fmt.Println(coinslot.Version, coinslot.NewHandler("a signing secret", coinslot.NewMemoryStore(), grant, grant) != nil)
}
`;
    await writeFile(join(folder, 'main.go'), game);
    const env = { GOPROXY: 'off', GOFLAGS: '-mod=mod', GOSUMDB: 'off' };
    await run('go', ['mod', 'init', 'game'], folder, env);
    await run('go', ['mod', 'edit', `-require=coinslot@v${VERSION}`, '-replace=coinslot=./go'], folder, env);
    expect((await run('go', ['run', '.'], folder, env)).stdout).toBe(`${VERSION} true\n`);
  });
});
