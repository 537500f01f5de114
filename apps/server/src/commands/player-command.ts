import type { Db } from '../db/db.ts';
import { createEnvironmentReader } from '../domain/game/find-environment.ts';
import type { CheckoutUrlOf } from '../domain/order/checkout-token.ts';
import { erasePlayer } from '../domain/privacy/erase-player.ts';
import { exportPlayer } from '../domain/privacy/export-player.ts';
import { AppError } from '../kit/app-error.ts';
import type { Seal } from '../kit/seal.ts';

export interface PlayerCommandDeps {
  db: Db;
  seal: Seal;
  archiveDir: string | undefined;
  checkoutUrlOf: CheckoutUrlOf;
  write: (text: string) => void;
  writeError: (text: string) => void;
}

const USAGE = `npm run player -- export <environment id> <player id>    everything that is known of a player, as JSON
npm run player -- erase <environment id> <player id>     removes it; amounts and dates stay for the books`;

/** The `player` command, for an operator who answers a player's request. */
export async function runPlayer(argv: string[], deps: PlayerCommandDeps): Promise<number> {
  const [way, environmentId, playerId] = argv;
  if (!(way === 'export' || way === 'erase') || !environmentId || !playerId) {
    deps.writeError(USAGE);
    return 2;
  }
  const environment = await createEnvironmentReader(deps.db)(environmentId);
  if (!environment) {
    deps.writeError(`There is no environment ${environmentId}.`);
    return 1;
  }
  try {
    const result =
      way === 'export'
        ? await exportPlayer(deps, environment, playerId)
        : await erasePlayer(deps, null, environment, playerId);
    deps.write(JSON.stringify(result, null, 2));
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.writeError(error.message);
    return 1;
  }
}
