import { connectOnce } from '../../db/sessions/connect-once.ts';
import { explainConnection } from '../../db/sessions/connection-problem.ts';
import type { Parts } from '../../program/parts.ts';
import { type Config, loadConfig } from '../../settings/config.ts';
import { defineCommand } from '../command.ts';
import { VERSION, withDatabaseUrl, withProgram } from '../open.ts';
import { checkAudit } from './check-audit.ts';
import {
  checkClock,
  checkConnections,
  checkDisk,
  checkGameEndpoints,
  checkKey,
  checkPooler,
  checkSchemaFits,
  checkServer,
  checkWorker,
} from './check-database.ts';
import { checkMail, checkProviders, checkPublicUrl, UPKEEP } from './check-upkeep.ts';
import { attempt, type Finding, findingText } from './finding.ts';

interface OpenedDoctor {
  config: Config;
  parts: Parts;
  databaseUrl: string;
  version: string;
}

const DATABASE_ADVICE = 'Check DATABASE_URL, and that this host may reach the database.';

/** If the schema is another version's, the checks that read its tables are left out. */
async function checkDatabase({ config, parts, databaseUrl }: OpenedDoctor): Promise<Finding[]> {
  const { db } = parts;
  const reached = await attempt('database', () => reach(databaseUrl), DATABASE_ADVICE);
  if (reached.length > 0) return reached;
  const schema = await attempt('schema', () => checkSchemaFits(parts), 'Run npm run migrate.');
  const server = await Promise.all([
    attempt('database', () => checkServer(db), DATABASE_ADVICE),
    attempt('pooler', () => checkPooler(databaseUrl, config), DATABASE_ADVICE),
    attempt('clock', () => checkClock(parts), DATABASE_ADVICE),
    attempt('disk', () => checkDisk(db, config), 'Free space on the disk of the database.'),
  ]);
  // Not beside the others, because it takes all free connections for a moment.
  const connections = await attempt('connections', () => checkConnections(db, databaseUrl, config), DATABASE_ADVICE);
  const found = [...server.flat(), ...connections, ...schema];
  // With another schema, or a pooler that shares sessions, the checks below would report faults that are none.
  if (found.some(({ what, state }) => ['schema', 'pooler'].includes(what) && state === 'wrong')) return found;
  const shop = await Promise.all([
    attempt(
      'master key',
      () => checkKey(parts),
      'Put the right key back; a restored database needs the key of its day.',
    ),
    attempt('audit log', () => checkAudit(parts), DATABASE_ADVICE),
    attempt('worker', () => checkWorker(db), DATABASE_ADVICE),
    attempt('games', () => checkGameEndpoints(db), DATABASE_ADVICE),
    attempt('provider', () => checkProviders(parts), DATABASE_ADVICE),
    ...UPKEEP.map(([what, check]) => attempt(what, () => check(db), DATABASE_ADVICE)),
  ]);
  return [...found, ...shop.flat()];
}

/** The first connection says by its error what is wrong with the address. */
async function reach(databaseUrl: string): Promise<Finding[]> {
  try {
    const client = await connectOnce(databaseUrl, 'coinslot-doctor');
    await client.end();
    return [];
  } catch (error) {
    throw explainConnection(error, 'DATABASE_URL', databaseUrl);
  }
}

async function findAll(opened: OpenedDoctor): Promise<Finding[]> {
  const { config, parts, version } = opened;
  const found = await Promise.all([
    checkDatabase(opened),
    attempt('mail', () => checkMail(parts, config), 'Check SMTP_URL: host, port, user and password.'),
    attempt(
      'public URL',
      () => checkPublicUrl(config, version),
      'Is the program running, and does the name lead to its proxy?',
    ),
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
    else for (const finding of findings) opened.write(findingText(finding));
    return isWrong ? 1 : 0;
  },
});
