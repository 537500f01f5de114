import { createCoinslot } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addBareCommand, type Runner } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import {
  checkKey,
  checkUrl,
  DEFAULT_URL,
  deleteStored,
  isLiveKey,
  listProfiles,
  profileOf,
  readSettings,
  redact,
  writeStored,
} from '../settings.ts';
import type { Io } from '../terminal/io.ts';

/** Any read call shows whether a key works. The key's prefix names its mode. */
async function modeOf(io: Io, url: string, key: string): Promise<'sandbox' | 'live'> {
  const client = createCoinslot({ key, baseUrl: url, fetch: io.fetch });
  await client.request({ method: 'GET', path: '/s2s/v1/orders', query: { limit: 1 } });
  return isLiveKey(key) ? 'live' : 'sandbox';
}

async function askKey(io: Io, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  if (!io.isInTerminal) return (await io.readInput()).toString('utf8');
  const answer = await io.askSecret('S2S key of your sandbox (from `npm run setup`, or the dashboard under API keys)');
  if (answer === null) throw new UsageError('No key was saved.');
  return answer;
}

function addLogout(program: Command, runner: Runner): void {
  addBareCommand(program, runner, {
    name: 'logout',
    summary: 'delete the saved key',
    examples: [
      ['coinslot logout', 'deletes the key without a name'],
      ['coinslot logout --profile staging', 'deletes that of a profile'],
    ],
    async run({ io, output }, _args, options) {
      const existed = await deleteStored(io, profileOf(io, options));
      if (output.isJson) output.json({ removed: existed });
      else output.line(existed ? 'The key was deleted.' : 'No key was saved.');
    },
  });
}

function addProfiles(program: Command, runner: Runner): void {
  addBareCommand(program, runner, {
    name: 'profiles',
    summary: 'list the keys that are saved under a name',
    more: 'Choose one with --profile or COINSLOT_PROFILE.',
    examples: [['coinslot orders list --profile staging', 'uses the key and the server of staging']],
    async run({ io, output }) {
      const saved = (await listProfiles(io)).map(({ name, url, key }) => ({
        name,
        url,
        mode: isLiveKey(key) ? 'live' : 'sandbox',
        key: redact(key),
      }));
      if (output.isJson) {
        for (const profile of saved) output.json(profile);
        return;
      }
      output.table(
        ['PROFILE', 'MODE', 'SERVER', 'KEY'],
        saved.map(({ name, mode, url, key }) => [name, mode, url, key]),
        'No profiles.',
      );
      if (saved.length === 0) output.next('coinslot login --profile staging', 'Save one');
    },
  });
}

export function addLogin(program: Command, runner: Runner): void {
  addBareCommand(program, runner, {
    name: 'login',
    summary: 'save a key for later commands',
    more: `Asks for the key, tests it, and saves it in a file that only you can read. COINSLOT_KEY and
COINSLOT_URL come before it.`,
    examples: [
      ['coinslot login', `asks for the key of ${DEFAULT_URL}`],
      ['coinslot login --url https://pay.example.com < key.txt', 'from a file'],
      ['coinslot login --profile staging --url https://staging.example.com', 'one of several'],
    ],
    async run({ io, output }, _args, options) {
      const url = checkUrl(options.url ?? io.env.COINSLOT_URL ?? DEFAULT_URL);
      const key = checkKey(await askKey(io, options.key));
      const mode = await output.during(`Testing the key at ${url}`, modeOf(io, url, key));
      const file = await writeStored(io, { url, key }, profileOf(io, options));
      if (output.isJson) output.json({ url, mode, file });
      else {
        output.line(`The ${mode} key works and is saved in ${file}`);
        output.next('coinslot orders create --player player_42 --sku crystals_100', 'Create an order');
      }
    },
  });
  addLogout(program, runner);
  addProfiles(program, runner);
  addBareCommand(program, runner, {
    name: 'config',
    summary: 'show which key and server are used, and where they come from',
    examples: [['coinslot config --json', 'the key itself is never printed']],
    async run({ io, output }, _args, options) {
      const { profile, url, urlFrom, key, keyFrom, file } = await readSettings(io, options);
      if (output.isJson) {
        output.json({ profile, url, url_from: urlFrom, key: key && redact(key), key_from: keyFrom, file });
        return;
      }
      output.fields([
        ['profile', profile],
        ['server', `${url} (${urlFrom})`],
        ['key', key === null ? 'none' : `${redact(key)} (${keyFrom})`],
        ['file', file],
      ]);
      if (key === null) output.next('coinslot login', 'Save a key');
    },
  });
}
