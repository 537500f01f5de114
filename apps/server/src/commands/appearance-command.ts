import { parseArgs } from 'node:util';
import type { Db } from '../db/db.ts';
import { findAppearance, listGames } from '../domain/game/appearance.sql.ts';
import type { Appearance, AppearanceForm } from '../domain/game/appearance.ts';
import { changeAppearance } from '../domain/game/change-appearance.ts';
import { AppError } from '../kit/app-error.ts';

export interface AppearanceCommandDeps {
  db: Db;
  write: (text: string) => void;
  writeError: (text: string) => void;
}

const USAGE = `npm run game                            the games there are
npm run game -- --game <game_id>        how the payment page of one looks
npm run game -- --game <game_id> [--name 'Tiny Harvest'] [--icon https://…] [--logo https://…] [--accent '#3355ff']
                                        change it; '' takes a picture or the color away
  --json                                print one JSON value`;

const FLAG_WIDTH = 10;

const options = {
  game: { type: 'string' },
  name: { type: 'string' },
  icon: { type: 'string' },
  logo: { type: 'string' },
  accent: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

function readArgs(argv: string[]) {
  try {
    return parseArgs({ args: argv, options }).values;
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

const wireOf = ({ gameId, name, iconUrl, logoUrl, accentColor }: Appearance) => ({
  game_id: gameId,
  name,
  icon_url: iconUrl,
  logo_url: logoUrl,
  accent_color: accentColor,
});

function asText(appearance: Appearance): string {
  const { name, iconUrl, logoUrl, accentColor } = appearance;
  return `${appearance.gameId}

  name     ${name}
  icon     ${iconUrl ?? 'none'}
  logo     ${logoUrl ?? 'none'}
  accent   ${accentColor ?? "none, Coinslot's own"}`;
}

function describe(error: AppError): string {
  if (!error.issues) return error.message;
  const lines = error.issues.map(({ pointer, message }) => `  ${`--${pointer.slice(1)}`.padEnd(FLAG_WIDTH)}${message}`);
  return ['Nothing was changed:', ...lines].join('\n');
}

async function showGames({ db, write }: AppearanceCommandDeps, json: boolean): Promise<number> {
  const games = await listGames(db);
  if (json) write(JSON.stringify(games.map(({ gameId, name, company }) => ({ game_id: gameId, name, company }))));
  else if (games.length === 0) write('No game is registered yet. Register one: npm run setup -- --help');
  else write(games.map(({ gameId, name, company }) => `${gameId}  ${name} (${company})`).join('\n'));
  return 0;
}

async function showOrChange({ db }: AppearanceCommandDeps, gameId: string, form: AppearanceForm): Promise<Appearance> {
  if (Object.values(form).some(value => value !== undefined)) return changeAppearance({ db }, null, gameId, form);
  const appearance = await findAppearance(db, gameId);
  if (!appearance) throw new AppError('not_found', { detail: `There is no game ${gameId}. List them: npm run game` });
  return appearance;
}

/** The `game` command, which changes how a game looks to players. Returns the exit code. */
export async function runAppearance(argv: string[], deps: AppearanceCommandDeps): Promise<number> {
  const args = readArgs(argv);
  if ('problem' in args) {
    deps.writeError(`${args.problem}\n\n${USAGE}`);
    return 2;
  }
  const { game, json = false, help, name, icon, logo, accent } = args;
  if (help) {
    deps.write(USAGE);
    return 0;
  }
  const form: AppearanceForm = { name, icon, logo, accent };
  if (game === undefined) {
    if (Object.values(form).every(value => value === undefined)) return showGames(deps, json);
    deps.writeError('Say which game with --game <game_id>. List them: npm run game');
    return 2;
  }
  try {
    const appearance = await showOrChange(deps, game, form);
    deps.write(json ? JSON.stringify(wireOf(appearance)) : asText(appearance));
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.writeError(describe(error));
    return 1;
  }
}
