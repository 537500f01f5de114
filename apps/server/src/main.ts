#!/usr/bin/env node
import { BackupError } from './commands/backup/backup-format.ts';
import type { ServerCommand } from './commands/command.ts';
import { EmbeddedError } from './db/embedded/embedded-error.ts';
import { MigrationError } from './db/migrate.ts';
import { sqlStateOf } from './db/sessions/database-errors.ts';
import { SetupError } from './kit/setup-error.ts';
import { WrongKeyError } from './program/master-key/keyring.ts';
import { ConfigError, environment } from './settings/config.ts';

/** Each command is loaded when it is called: the whole program takes two seconds to load, most commands a part of it. */
const COMMANDS = {
  start: async () => (await import('./commands/start.ts')).startCommand,
  serve: async () => (await import('./commands/start.ts')).serveCommand,
  work: async () => (await import('./commands/start.ts')).workCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  setup: async () => (await import('./commands/setup.ts')).setupCommand,
  game: async () => (await import('./commands/game.ts')).gameCommand,
  mails: async () => (await import('./commands/mails.ts')).mailsCommand,
  reconcile: async () => (await import('./commands/reconcile.ts')).reconcileCommand,
  figures: async () => (await import('./commands/figures.ts')).figuresCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  player: async () => (await import('./commands/player.ts')).playerCommand,
  user: async () => (await import('./commands/user.ts')).userCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  provider: async () => (await import('./commands/provider.ts')).providerCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
} as const satisfies Record<string, () => Promise<ServerCommand>>;

async function help(): Promise<number> {
  const commands = await Promise.all(Object.values(COMMANDS).map(load => load()));
  const lines = commands.map(({ name, summary }) => `  ${name.split(' ')[0]!.padEnd(10)} ${summary}`);
  process.stdout.write(`Commands, each with --help for more:\n\n${lines.join('\n')}\n`);
  return 0;
}

async function main([name = 'start', ...argv]: string[]): Promise<number> {
  if (name === 'help' && argv[0] !== undefined) return main([argv[0], '--help']);
  if (['help', '--help', '-h'].includes(name)) return help();
  if (Object.hasOwn(COMMANDS, name)) return (await COMMANDS[name as keyof typeof COMMANDS]()).main(argv);
  console.error(`There is no command ${JSON.stringify(name)}. Commands: ${Object.keys(COMMANDS).join(', ')}.`);
  return 2;
}

const EXPECTED = [BackupError, ConfigError, SetupError, EmbeddedError, MigrationError, WrongKeyError];

/** A sentence for the operator; where in the program it comes from is for its developers. */
function describe(error: unknown): unknown {
  if (environment().LOG_LEVEL === 'debug' || !(error instanceof Error)) return error;
  if (EXPECTED.some(kind => error instanceof kind)) return error.message;
  return `${error.name}: ${error.message || sqlStateOf(error)} (LOG_LEVEL=debug says where)`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(describe(error));
  process.exitCode = 1;
}
