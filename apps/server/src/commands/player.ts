import { text } from 'node:stream/consumers';
import { createEnvironmentReader } from '../domain/game/find-environment.ts';
import { checkoutUrls } from '../domain/order/checkout-token.ts';
import { erasePlayer } from '../domain/privacy/erase-player.ts';
import { exportPlayer } from '../domain/privacy/export-player.ts';
import type { Shop } from '../domain/shop.ts';
import { createSeal } from '../kit/seal.ts';
import { masterKey } from '../program/master-key/master-key.ts';
import { loadConfig } from '../settings/config.ts';
import { defineCommand, UsageError } from './command.ts';
import { withDb } from './open.ts';

/** Serves an operator who answers a player's request. */
export const playerCommand = defineCommand<Pick<Shop, 'db' | 'seal' | 'archiveDir' | 'checkoutUrlOf'>>({
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
  async run(shop, [action, environmentId = '', playerId = '']) {
    if (action !== 'export' && action !== 'erase') throw new UsageError('The action is export or erase.');
    const environment = await createEnvironmentReader(shop.db)(environmentId);
    if (!environment) {
      shop.writeError(`There is no environment ${environmentId}.`);
      return 1;
    }
    const result =
      action === 'export'
        ? (JSON.parse(await text(await exportPlayer(shop, environment, playerId))) as object)
        : await erasePlayer(shop, null, environment, playerId);
    shop.write(JSON.stringify(result, null, 2));
    return 0;
  },
});
