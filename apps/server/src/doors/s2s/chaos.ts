import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { changeChaos } from '../../domain/game/chaos/change-chaos.ts';
import { findChaos } from '../../domain/game/chaos/chaos.sql.ts';
import { assertSandbox } from '../../domain/game/environment.ts';
import { mount } from '../../http/mount.ts';
import type { S2sDeps, S2sDoor } from './s2s-deps.ts';
import { LIVE_KEY } from './sandbox.ts';

/** The sandbox's switch for deliveries and a provider that misbehave now and then. */
export function mountChaos(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  mount(
    app,
    contract.getChaos,
    async ({ context: { environment } }) => {
      assertSandbox(environment, LIVE_KEY);
      return { enabled: await findChaos(deps.db, environment.id) };
    },
    door,
  );

  mount(
    app,
    contract.setChaos,
    async ({ body, context: { environment } }) => {
      assertSandbox(environment, LIVE_KEY);
      return { enabled: await changeChaos(deps, null, environment, body.enabled) };
    },
    door,
  );
}
