import { createDb, type Db, type DbOptions } from '../db/db.ts';
import { isFollowingCheap } from '../db/pool-guard.ts';
import { REPORT_LIMITS } from '../db/sessions/session.ts';
import { shareConnections } from '../db/sessions/share-connections.ts';
import { createTrust } from '../db/sessions/trust.ts';
import type { Config } from '../settings/config.ts';
import type { Tracing } from '../telemetry/tracing.ts';

type OpenOptions = Pick<DbOptions, 'maxConnections' | 'fixedPlans' | 'limits' | 'readOnly' | 'trust'> & {
  url?: string;
};

export interface PoolSettings {
  config: Config;
  databaseUrl: string;
  tracing?: Tracing | undefined;
  /** The bench switches kinds of batching off to measure what each gains. */
  batching?: DbOptions['batching'];
}

/** Opens a pool for each kind of work, so that none can take the connections of another. */
export function openPools({ config, databaseUrl, tracing, batching }: PoolSettings, onError: (error: unknown) => void) {
  const { sessionUrl, readUrl, databaseConnections } = config.operations;
  const common = {
    url: databaseUrl,
    onError,
    byTransaction: sessionUrl !== undefined,
    isFollowing: isFollowingCheap || config.env === 'test',
    trust: createTrust(),
    ...(batching && { batching }),
  };
  const open = (pool: string, options: OpenOptions): Db => {
    const opened = createDb({ ...common, ...options });
    return tracing?.watchDb(opened, pool) ?? opened;
  };
  const sizes = shareConnections(databaseConnections);
  const lists = { maxConnections: sizes.report, limits: REPORT_LIMITS };
  return {
    db: open('doors', { maxConnections: sizes.doors }),
    moneyDb: open('money', { maxConnections: sizes.money, fixedPlans: true }),
    providerDb: open('provider', { maxConnections: sizes.provider, fixedPlans: true }),
    reportDb: open('report', lists),
    replicaDb:
      readUrl === undefined ? null : open('replica', { url: readUrl, ...lists, readOnly: true, trust: createTrust() }),
  };
}
