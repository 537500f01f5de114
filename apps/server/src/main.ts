#!/usr/bin/env node
import { BackupError } from './commands/backup/backup-format.ts';
import { backupCommand, restoreCommand } from './commands/backup-commands.ts';
import {
  doctorCommand,
  figuresCommand,
  gameCommand,
  keysCommand,
  mailsCommand,
  migrateCommand,
  playerCommand,
  providerCommand,
  reconcileCommand,
  serveCommand,
  setupCommand,
} from './commands/commands.ts';
import { EmbeddedError } from './db/embedded/embedded-error.ts';
import { MigrationError } from './db/migrate.ts';
import { WrongKeyError } from './program/master-key/keyring.ts';
import { ConfigError } from './settings/config.ts';

const COMMANDS = {
  start: () => serveCommand({ serve: true, work: true }),
  serve: () => serveCommand({ serve: true, work: false }),
  work: () => serveCommand({ serve: false, work: true }),
  migrate: migrateCommand,
  setup: setupCommand,
  game: gameCommand,
  mails: mailsCommand,
  reconcile: reconcileCommand,
  figures: figuresCommand,
  keys: keysCommand,
  player: playerCommand,
  doctor: doctorCommand,
  provider: providerCommand,
  backup: backupCommand,
  restore: restoreCommand,
} as const satisfies Record<string, (argv: string[]) => Promise<number>>;

const isCommand = (text: string): text is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, text);

async function main([name = 'start', ...argv]: string[]): Promise<number> {
  if (!isCommand(name)) {
    console.error(`There is no command ${JSON.stringify(name)}. Commands: ${Object.keys(COMMANDS).join(', ')}.`);
    return 2;
  }
  return COMMANDS[name](argv);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isExpected = [BackupError, ConfigError, EmbeddedError, MigrationError, WrongKeyError].some(
    kind => error instanceof kind,
  );
  console.error(isExpected ? (error as Error).message : error);
  process.exitCode = 1;
}
