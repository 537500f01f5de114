/** How the examples of a language are run: all of them in one process, because starting one for each takes a minute. */
import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Example } from './call-trial.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const exec = promisify(execFile);

interface CallRunner {
  language: string;
  needs: string;
  run(examples: Example[], folder: string, env: NodeJS.ProcessEnv): Promise<void>;
}

async function runGo(examples: Example[], folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const fileOf = ({ name }: Example): string => `call_${name}.go`;
  const write = (file: string, text: string): Promise<void> => writeFile(join(folder, file), text);
  await cp(join(ROOT, 'packages/go'), join(folder, 'coinslot'), { recursive: true });
  await write('go.mod', 'module game\n\ngo 1.19\n\nrequire coinslot v0.0.0\n\nreplace coinslot => ./coinslot\n');
  for (const one of examples) await write(fileOf(one), one.code);
  const { stdout } = await exec('gofmt', ['-l', ...examples.map(fileOf)], { cwd: folder, env });
  if (stdout !== '') throw new Error(`gofmt would change ${stdout}`);
  for (const one of examples) await write(fileOf(one), one.code.replace('func main()', `func try_${one.name}()`));
  await write(
    'main.go',
    `package main\n\nfunc main() {\n${examples.map(({ name }) => `\ttry_${name}()`).join('\n')}\n}\n`,
  );
  await exec('go', ['run', '.'], { cwd: folder, env: { ...env, GOFLAGS: '-mod=mod', GOPROXY: 'off' } });
}

export const CALL_RUNNERS: readonly CallRunner[] = [
  {
    language: 'curl',
    needs: 'curl',
    async run(examples, folder, env) {
      const script = ['set -e', ...examples.map(({ code }) => code)].join('\n');
      await exec('bash', ['-c', script], { cwd: folder, env });
    },
  },
  {
    language: 'Node',
    needs: 'node',
    async run(examples, folder, env) {
      await mkdir(join(folder, 'node_modules/@coinslot'), { recursive: true });
      await symlink(join(ROOT, 'packages/sdk'), join(folder, 'node_modules/@coinslot/sdk'));
      for (const { name, code } of examples) await writeFile(join(folder, `${name}.mjs`), code);
      const all = examples.map(({ name }) => `await import('./${name}.mjs');`).join('\n');
      await writeFile(join(folder, 'all.mjs'), all);
      await exec(process.execPath, ['all.mjs'], { cwd: folder, env });
    },
  },
  {
    language: 'Python',
    needs: 'python3',
    async run(examples, folder, env) {
      for (const { name, code } of examples) await writeFile(join(folder, `${name}.py`), code);
      const all = examples.map(({ name }) => `runpy.run_path('${name}.py')`).join('\n');
      await writeFile(join(folder, 'all.py'), `import runpy\n${all}\n`);
      const python = { ...env, PYTHONPATH: join(ROOT, 'packages/python'), PYTHONDONTWRITEBYTECODE: '1' };
      await exec('python3', ['all.py'], { cwd: folder, env: python });
    },
  },
  { language: 'Go', needs: 'go', run: runGo },
];
