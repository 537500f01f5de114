import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { coalesce } from '../../apps/server/src/db/batching/coalesce.ts';
import { createDb } from '../../apps/server/src/db/db.ts';
import { insertOrders, type NewOrder } from '../../apps/server/src/domain/order/new-order.sql.ts';
import { newId } from '../../apps/server/src/kit/ids.ts';
import type { OrderBody } from './order-body.ts';
import { serveParent } from './serve-parent.ts';

const ENVIRONMENT = newId('env');

const NO_PRICE = { description: null, imageUrl: null, priceMinor: null, fullPriceMinor: null, currency: null };

const read = (request: IncomingMessage): Promise<OrderBody> =>
  new Promise(resolve => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as OrderBody));
  });

const orderOf = (body: OrderBody): NewOrder => ({
  environmentId: ENVIRONMENT,
  id: newId('ord'),
  playerId: body.player_id,
  amountMinor: 999,
  currency: 'USD',
  items: body.items.map(item => ({ ...NO_PRICE, ...item })),
  details: {
    country: null,
    locale: null,
    theme: 'auto',
    backToGameUrl: body.back_to_game_url,
    backToStoreUrl: null,
    metadata: body.metadata,
  },
  email: body.email,
  expiresAt: null,
  player: { name: null, avatarUrl: null, attributes: null },
  catalog: [],
  idempotency: null,
});

/** What would be left of order creation without a door: Node's own server and the shared insert. No key is looked up, nothing is checked. */
async function listen(databaseUrl: string): Promise<number> {
  const db = createDb({ url: databaseUrl, maxConnections: 4, fixedPlans: true, onError: () => {} });
  const insert = coalesce<NewOrder, void>({
    runMany: async orders => {
      await insertOrders(db, orders);
      return orders.map(() => undefined);
    },
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const order = orderOf(await read(request));
    await insert(order);
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ order_id: order.id, status: 'created', amount: 999, currency: 'USD' }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

serveParent(listen);
