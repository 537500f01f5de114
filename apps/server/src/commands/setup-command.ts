import { text } from 'node:stream/consumers';
import { Command, CommanderError } from 'commander';
import { findRegistered } from '../domain/game/find-registered.ts';
import { type RegisterDeps, type Registered, register } from '../domain/game/register.ts';
import type { RegistrationForm } from '../domain/game/registration.ts';
import { STORES } from '../domain/game/stores/stores.ts';
import { AppError } from '../kit/app-error.ts';

export interface SetupDeps extends RegisterDeps {
  write: (text: string) => void;
  writeError: (text: string) => void;
  /** Where the server answers, for the first call that is shown. */
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

const FLAG_WIDTH = 14;

// Nothing is required by the parser: it would name one missing option and stop, and we name every problem at once.
function defineCommand({ write, writeError }: SetupDeps): Command {
  return new Command('setup')
    .description('Registers a user, a company and a game, and prints the S2S keys of both environments.')
    .option('--email <address>', 'e-mail address of the owner')
    .option('--password <password>', 'password of the owner, at least 10 characters')
    .option('--password-stdin', 'read the password from standard input, so that it stays out of the process list')
    .option('--company <name>', 'name of the company')
    .option('--game-url <link>', 'store link of a published mobile game')
    .option('--game-name <name>', 'name of the game; without it the link decides')
    .option('--again', 'if exactly this account is registered already, print its keys instead of refusing')
    .option('--json', 'print one JSON object')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: writeError });
}

function parseFlags(argv: string[], deps: SetupDeps): Flags | { exitCode: number } {
  try {
    return defineCommand(deps).parse(argv, { from: 'user' }).opts<Flags>();
  } catch (error) {
    if (error instanceof CommanderError) return { exitCode: error.exitCode };
    throw error;
  }
}

async function readPassword(flags: Flags, { readInput = () => text(process.stdin) }: SetupDeps): Promise<string> {
  if (!flags.passwordStdin) return flags.password ?? '';
  return (await readInput()).replace(/\r?\n$/, '');
}

async function formOf(flags: Flags, deps: SetupDeps): Promise<RegistrationForm> {
  const { email = '', company = '', gameUrl = '', gameName } = flags;
  return { email, company, gameUrl, gameName, password: await readPassword(flags, deps) };
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

const flagOf = (pointer: string): string => `--${pointer.slice(1).replaceAll('_', '-')}`;

function describe(error: AppError): string {
  if (!error.issues) return `The account was not created: ${error.message}`;
  const lines = error.issues.map(issue => `  ${flagOf(issue.pointer).padEnd(FLAG_WIDTH)}${issue.message}`);
  return ['The account was not created:', ...lines].join('\n');
}

/** `setup`: an account without a browser. Answers with the exit code. */
export async function runSetup(argv: string[], deps: SetupDeps): Promise<number> {
  const flags = parseFlags(argv, deps);
  if ('exitCode' in flags) return flags.exitCode;
  if (flags.password !== undefined && flags.passwordStdin) {
    deps.writeError('Give --password or --password-stdin, not both.\n');
    return 1;
  }
  try {
    const form = await formOf(flags, deps);
    const registered = (flags.again && (await findRegistered(deps, form))) || (await register(deps, form));
    const { publicUrl = 'http://localhost:4242' } = deps;
    deps.write(`${flags.json ? asJson(registered) : asText(registered, form.company.trim(), publicUrl)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.writeError(`${describe(error)}\n`);
    return 1;
  }
}
