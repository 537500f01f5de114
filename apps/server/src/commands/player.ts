import type { Db } from '../db/db.ts';
import { createEnvironmentReader } from '../domain/game/find-environment.ts';
import { type CheckoutUrlOf, checkoutUrls } from '../domain/order/checkout-token.ts';
import { erasePlayer } from '../domain/privacy/erase-player.ts';
import { exportPlayer } from '../domain/privacy/export-player.ts';
import { createSeal, type Seal } from '../kit/seal.ts';
import { masterKey } from '../program/master-key/master-key.ts';
import { loadConfig } from '../settings/config.ts';
import { defineCommand, UsageError } from './command.ts';
import { withDb } from './open.ts';

interface PlayerDeps {
  db: Db;
  seal: Seal;
  archiveDir: string | undefined;
  checkoutUrlOf: CheckoutUrlOf;
}

/** Serves an operator who answers a player's request. */
export const playerCommand = defineCommand<PlayerDeps>({
  name: 'player <action> <environment-id> <player-id>',
  summary: 'Exports or erases what is known of a player.',
  more: `player export …    everything that is known, as JSON
player erase …     removes it; amounts and dates stay for the books`,
  async open(work) {
    const config = loadConfig();
    const seal = createSeal(await masterKey(config));
    const checkoutUrlOf = checkoutUrls(seal, config.publicUrl);
    return withDb(config, db => work({ db, seal, archiveDir: config.operations.archiveDir, checkoutUrlOf }));
  },
  async run(deps, [action, environmentId = '', playerId = '']) {
    if (action !== 'export' && action !== 'erase') throw new UsageError('The action is export or erase.');
    const environment = await createEnvironmentReader(deps.db)(environmentId);
    if (!environment) {
      deps.writeError(`There is no environment ${environmentId}.`);
      return 1;
    }
    const result =
      action === 'export'
        ? await exportPlayer(deps, environment, playerId)
        : await erasePlayer(deps, null, environment, playerId);
    deps.write(JSON.stringify(result, null, 2));
    return 0;
  },
});
