import type { Parts } from '../../program/parts.ts';
import { type Config, loadConfig } from '../../settings/config.ts';
import { defineCommand } from '../command.ts';
import { VERSION, withDatabaseUrl, withProgram } from '../open.ts';
import {
  checkClock,
  checkDisk,
  checkEndpoints,
  checkKey,
  checkPooler,
  checkSchema,
  checkServer,
  checkWorker,
} from './check-database.ts';
import { checkMail, checkProviders, checkPublicUrl } from './check-outside.ts';
import { attempt, type Finding, textOf } from './finding.ts';

interface OpenedDoctor {
  config: Config;
  parts: Parts;
  databaseUrl: string;
  version: string;
}

const DATABASE_ADVICE = 'Check DATABASE_URL, and that this host may reach the database.';

async function findAll({ config, parts, databaseUrl, version }: OpenedDoctor): Promise<Finding[]> {
  const { db } = parts;
  const found = await Promise.all([
    attempt('database', () => checkServer(db, config), DATABASE_ADVICE),
    attempt('pooler', () => checkPooler(databaseUrl, config), DATABASE_ADVICE),
    attempt('schema', () => checkSchema(parts), 'Run npm run migrate.'),
    attempt(
      'master key',
      () => checkKey(parts),
      'Put the right key back; a restored database needs the key of its day.',
    ),
    attempt('clock', () => checkClock(parts), DATABASE_ADVICE),
    attempt('disk', () => checkDisk(db, config), 'Free space on the disk of the database.'),
    attempt('worker', () => checkWorker(db), DATABASE_ADVICE),
    attempt('games', () => checkEndpoints(db), DATABASE_ADVICE),
    attempt('mail', () => checkMail(parts, config), 'Check SMTP_URL: host, port, user and password.'),
    attempt(
      'public URL',
      () => checkPublicUrl(config, version),
      'Is the program running, and does the name lead to its proxy?',
    ),
    attempt('provider', () => checkProviders(parts), DATABASE_ADVICE),
  ]);
  return found.flat();
}

/**
 * Looks at everything an operator can get wrong, and changes nothing; reading the settings checks them. The exit code is 1
 * when something is wrong, so that monitoring can run it.
 */
export const doctorCommand = defineCommand<OpenedDoctor, { json?: boolean }>({
  name: 'doctor',
  summary: 'Checks everything that an operator can get wrong, and changes nothing.',
  options: command => command.option('--json', 'print one JSON value'),
  async open(work) {
    const config = loadConfig();
    return withDatabaseUrl(config, databaseUrl =>
      withProgram(config, databaseUrl, ({ parts }) => work({ config, parts, databaseUrl, version: VERSION })),
    );
  },
  async run(opened, _, { json }) {
    const findings = await findAll(opened);
    const isWrong = findings.some(({ state }) => state === 'wrong');
    if (json) opened.write(JSON.stringify({ ok: !isWrong, findings }));
    else for (const finding of findings) opened.write(textOf(finding));
    return isWrong ? 1 : 0;
  },
});
