import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isCoinslotError } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addBareCommand, type CommonOptions, connect, type Runner } from '../command.ts';
import { examine } from '../commands/exam.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-codes.ts';
import { oneOf, wholeNumber } from '../read-options.ts';
import { isLiveKey, readSettings } from '../settings.ts';
import type { Io } from '../terminal/io.ts';
import type { Output } from '../terminal/output.ts';
import { plain } from '../terminal/style.ts';
import { fileOf, TEMPLATE, TEMPLATES, type TemplateName } from './templates.ts';

interface InitFlags extends CommonOptions {
  template: TemplateName;
  port: number;
  install: boolean;
  register: boolean;
  exam: boolean;
}

type Bare = { io: Io; output: Output };

const INSTALL_MS = 300_000;
const MOST_WEBHOOKS = 20;
const run = promisify(execFile);

/**
 * Registers the receiver unless it is registered already, or says why that is not possible. Another webhook that grants
 * items is left alone.
 */
async function register(bare: Bare, flags: InitFlags, url: string): Promise<void> {
  const { output } = bare;
  const { key } = await readSettings(bare.io, flags);
  if (key === null || isLiveKey(key)) {
    output.note('Not registered: there is no sandbox key. Set COINSLOT_KEY, then: coinslot webhooks create.');
    return;
  }
  const { client } = await connect(bare, flags, true);
  try {
    const known = await client.webhooks.list().take(MOST_WEBHOOKS);
    if (known.some(webhook => webhook.url === url)) return output.note(`Registered already: ${url}`);
    await client.webhooks.create({ url, events: ['item.add', 'item.remove'], description: 'Written by coinslot init' });
    output.note(`Registered for item.add and item.remove: ${url}`);
  } catch (error) {
    if (!isCoinslotError(error)) throw error;
    const why = error.errors[0]?.message ?? error.message;
    output.note(`Not registered: ${plain(why)} coinslot listen --forward-to ${url} reaches it from anywhere.`);
  }
}

async function init(bare: Bare, folder: string, flags: InitFlags): Promise<ExitCode> {
  const { io, output } = bare;
  const cwd = resolve(folder);
  const { install, start } = TEMPLATE[flags.template];
  const files = await writeReceiver(cwd, flags.template);
  output.note(`Wrote ${files.join(', ')} to ${plain(cwd)}.`);
  if (install && flags.install) {
    const [command, ...args] = install.split(' ') as [string, ...string[]];
    await output
      .during('Installing', run(command, args, { cwd, env: io.env, timeout: INSTALL_MS }))
      .catch((error: unknown) => {
        throw new UsageError(`${install} failed in ${cwd}.`, String(error).slice(-500));
      });
  }
  const url = new URL(`http://localhost:${flags.port}/webhook`);
  if (flags.register) await register(bare, flags, url.href);
  const { key } = await readSettings(io, flags);
  const secret = io.env.COINSLOT_SECRET ?? key ?? randomBytes(24).toString('base64url');
  output.next(`cd ${plain(folder)} && WEBHOOK_SECRET=$COINSLOT_KEY PORT=${flags.port} ${start}`, 'Start it');
  if (!flags.exam) return EXIT.done;
  const env = { ...io.env, COINSLOT_SECRET: secret };
  return examine({ ...io, env }, output, url, { ...flags, start, cwd });
}

const isEmpty = async (folder: string): Promise<boolean> =>
  readdir(folder).then(
    names => names.length === 0,
    () => true,
  );

/** Writes into a new or empty folder, so that nothing is overwritten. Returns the names of the files. */
async function writeReceiver(folder: string, name: TemplateName): Promise<string[]> {
  if (!(await isEmpty(folder)))
    throw new UsageError(`${folder} is not empty.`, 'Name a new folder, so that nothing of yours is overwritten.');
  const { files, dependencies, start } = TEMPLATE[name];
  for (const [target, source] of Object.entries(files)) {
    await mkdir(dirname(join(folder, target)), { recursive: true });
    await copyFile(fileOf(source), join(folder, target));
  }
  if (!dependencies) return Object.keys(files);
  const manifest = {
    name:
      basename(folder)
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-') || 'receiver',
    private: true,
    type: 'module',
    scripts: { start },
    dependencies,
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, '.gitignore'), 'node_modules/\n.next/\n.env\ngranted.jsonl\ngranted.journal\n');
  return [...Object.keys(files), 'package.json', '.gitignore'];
}

export function addInit(program: Command, runner: Runner): void {
  addBareCommand<InitFlags>(program, runner, {
    name: 'init <folder>',
    summary: 'write a working webhook receiver, register it and examine it',
    more: `Writes into a new folder, installs what the framework needs, registers http://localhost:<port>/webhook in your sandbox if
no other webhook takes items, and runs the exam. No secret is written: the receiver reads WEBHOOK_SECRET.`,
    examples: [
      ['coinslot init shop --template fastify', 'a receiver with Fastify in ./shop'],
      ['coinslot init shop --template python --port 8000', 'in Python, without anything to install'],
    ],
    options: command =>
      command
        .option('--template <name>', TEMPLATES.join(', '), oneOf('--template', TEMPLATES), 'express')
        .option('--port <n>', 'where the receiver listens', wholeNumber('--port', 1, 65_535), 3000)
        .option('--no-install', 'leaves npm install to you')
        .option('--no-register', 'does not register the webhook')
        .option('--no-exam', 'does not start and examine it'),
    run: (bare, args, flags) => init(bare, args[0] ?? '', flags),
  });
}
