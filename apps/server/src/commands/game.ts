import type { Db } from '../db/db.ts';
import type { Appearance, AppearanceForm } from '../domain/game/appearance.ts';
import { changeAppearance } from '../domain/game/change-appearance.ts';
import { findAppearance, listGames } from '../domain/game/game.sql.ts';
import { AppError } from '../kit/app-error.ts';
import { loadConfig } from '../settings/config.ts';
import { defineCommand, type Io, UsageError } from './command.ts';
import { withDb } from './open.ts';

interface GameOptions extends AppearanceForm {
  game?: string;
  json?: boolean;
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

async function showGames({ db, write }: { db: Db } & Io, json: boolean): Promise<number> {
  const games = await listGames(db);
  if (json) write(JSON.stringify(games.map(({ gameId, name, company }) => ({ game_id: gameId, name, company }))));
  else if (games.length === 0) write('No game is registered yet. Register one: npm run setup -- --help');
  else write(games.map(({ gameId, name, company }) => `${gameId}  ${name} (${company})`).join('\n'));
  return 0;
}

async function showOrChange(db: Db, gameId: string, form: AppearanceForm): Promise<Appearance> {
  if (Object.values(form).some(value => value !== undefined)) return changeAppearance({ db }, null, gameId, form);
  const appearance = await findAppearance(db, gameId);
  if (!appearance) throw new AppError('not_found', { detail: `There is no game ${gameId}. List them: npm run game` });
  return appearance;
}

export const gameCommand = defineCommand<{ db: Db }, GameOptions>({
  name: 'game',
  summary: 'Lists the games, and shows or changes how the payment page of one looks.',
  more: "An empty text, '', takes a picture or the color away.",
  options: command =>
    command
      .option('--game <id>', 'the game to show or change')
      .option('--name <name>', 'its name')
      .option('--icon <url>', 'its icon, an https address')
      .option('--logo <url>', 'its logo, an https address')
      .option('--accent <color>', "its color, such as '#3355ff'")
      .option('--json', 'print one JSON value'),
  open: work => withDb(loadConfig(), db => work({ db })),
  async run(opened, _, { game, json = false, ...form }) {
    if (game === undefined) {
      if (Object.keys(form).length === 0) return showGames(opened, json);
      throw new UsageError('Say which game with --game <game_id>. List them: npm run game');
    }
    const appearance = await showOrChange(opened.db, game, form);
    opened.write(json ? JSON.stringify(wireOf(appearance)) : asText(appearance));
    return 0;
  },
});
