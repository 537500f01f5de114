import { text } from 'node:stream/consumers';
import { findRunning } from '../db/embedded/start-embedded.ts';
import { findRegistered, type Registered, register } from '../domain/game/register.ts';
import type { RegistrationForm } from '../domain/game/registration.ts';
import { STORES } from '../domain/game/stores/stores.ts';
import type { Shop } from '../domain/shop.ts';
import { createSeal } from '../kit/seal.ts';
import { createKeyring, placeOf } from '../program/master-key/keyring.ts';
import { masterKey } from '../program/master-key/master-key.ts';
import { findRunningPrograms, secondDatabase } from '../program/running-programs.ts';
import { loadConfig } from '../settings/config.ts';
import { CONSOLE, defineCommand } from './command.ts';
import { withDb } from './open.ts';

interface SetupShop extends Pick<Shop, 'db' | 'seal' | 'passwordCost'> {
  /** Appears in the example call that is printed. */
  publicUrl?: string;
  readInput?: () => Promise<string>;
}

interface Flags {
  email?: string;
  password?: string;
  passwordStdin?: boolean;
  company?: string;
  gameUrl?: string;
  gameName?: string;
  again?: boolean;
  json?: boolean;
}

async function readPassword(flags: Flags, { readInput = () => text(process.stdin) }: SetupShop): Promise<string> {
  if (!flags.passwordStdin) return flags.password ?? '';
  return (await readInput()).replace(/\r?\n$/, '');
}

async function formOf(flags: Flags, shop: SetupShop): Promise<RegistrationForm> {
  const { email = '', company = '', gameUrl = '', gameName } = flags;
  return { email, company, gameUrl, gameName, password: await readPassword(flags, shop) };
}

function asJson({ companyId, gameId, userId, sandbox, live }: Registered): string {
  return JSON.stringify({
    company_id: companyId,
    game_id: gameId,
    user_id: userId,
    sandbox: { s2s_key: sandbox.s2sKey },
    live: { s2s_key: live.s2sKey },
  });
}

function asText(registered: Registered, company: string, publicUrl: string): string {
  const { gameName, storeLink, companyId, gameId, userId, sandbox, live } = registered;
  return `Registered ${company} with the game ${gameName} (${STORES[storeLink.store].label}, ${storeLink.appId}).

  company          ${companyId}
  game             ${gameId}
  user             ${userId}
  sandbox S2S key  ${sandbox.s2sKey}
  live S2S key     ${live.s2sKey}

Keep these keys secret: they create orders and sign webhooks.

Next, with the server running (npm start), create a first order in sandbox:

  curl ${publicUrl}/s2s/v1/orders \\
    -H 'Authorization: Bearer ${sandbox.s2sKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"player_id":"player-1","items":[{"sku":"gold_100","name":"100 gold"}]}'

Open the checkout_url of the answer and pay with the test card 4242 4242 4242 4242.`;
}

export const setupCommand = defineCommand<SetupShop, Flags>({
  name: 'setup',
  summary: 'Registers a user, a company and a game, and prints the S2S keys of both environments.',
  refusal: 'The account was not created',
  // No option is required by the parser, which would stop at the first missing one. The command names every problem at once.
  options: command =>
    command
      .option('--email <address>', 'e-mail address of the owner')
      .option('--password <password>', 'password of the owner, at least 10 characters')
      .option('--password-stdin', 'read the password from standard input, so that it stays out of the process list')
      .option('--company <name>', 'name of the company')
      .option('--game-url <link>', 'store link of a published mobile game')
      .option('--game-name <name>', 'name of the game; without it the link decides')
      .option('--again', 'if exactly this account is registered already, print its keys instead of refusing')
      .option('--json', 'print one JSON object'),
  async open(work) {
    const config = loadConfig();
    const isNew = config.databaseUrl === undefined && !(await findRunning(config.dataDir).catch(() => undefined));
    const note = isNew ? secondDatabase(await findRunningPrograms(), config.dataDir) : null;
    if (note) CONSOLE.writeError(note);
    const key = await masterKey(config);
    const seal = createSeal(key);
    return withDb(config, async (db, url) => {
      await createKeyring({ db, seal, masterKey: key, where: placeOf(url) }).load();
      return work({ db, seal, publicUrl: config.publicUrl });
    });
  },
  async run(shop, _, flags) {
    if (flags.password !== undefined && flags.passwordStdin) {
      shop.writeError('Give --password or --password-stdin, not both.');
      return 1;
    }
    const form = await formOf(flags, shop);
    const registered = (flags.again && (await findRegistered(shop, form))) || (await register(shop, form));
    const { publicUrl = 'http://localhost:4242' } = shop;
    shop.write(flags.json ? asJson(registered) : asText(registered, form.company.trim(), publicUrl));
    return 0;
  },
});
