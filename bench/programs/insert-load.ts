import pg from 'pg';
import { newId } from '../../apps/server/src/kit/ids.ts';
import { orderBody } from './order-body.ts';
import { monotonicMs, serveParent } from './serve-parent.ts';

export interface InsertLoad {
  url: string;
  connections: number;
  players: number;
  ms: number;
}

const INSERT = `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, email,
  created_at, expires_at, updated_at)
  values ($1, $2, $3, 'created', $4, $5, $6, $7, $8, now(), now() + interval '24 hours', now())`;

const ENVIRONMENT = newId('env');
const DETAILS = JSON.stringify({
  country: null,
  locale: null,
  theme: 'auto',
  backToGameUrl: 'mygame://shop/thanks?order=ord_01k6f0n8e5w9x2y3z4a5b6c7d8',
  backToStoreUrl: null,
  metadata: { campaign: 'summer', level: '42' },
});

function rowOf(players: number): unknown[] {
  const { player_id: playerId, email, items } = orderBody(Math.floor(Math.random() * players));
  return [ENVIRONMENT, newId('ord'), playerId, 999, 'USD', JSON.stringify(items), DETAILS, email];
}

/** What any program gets from the bare driver: a prepared insert, one row, one commit, on each connection. */
async function run(load: InsertLoad): Promise<{ perSecond: number }> {
  const clients = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const client = new pg.Client({ connectionString: load.url });
      await client.connect();
      return client;
    }),
  );
  let inserted = 0;
  const startedAt = monotonicMs();
  const deadline = startedAt + load.ms;
  const drive = async (client: pg.Client): Promise<void> => {
    while (monotonicMs() < deadline) {
      await client.query({ name: 'insert_order', text: INSERT, values: rowOf(load.players) });
      inserted++;
    }
  };
  await Promise.all(clients.map(drive));
  const seconds = (monotonicMs() - startedAt) / 1000;
  await Promise.all(clients.map(client => client.end()));
  return { perSecond: inserted / seconds };
}

serveParent(run);
