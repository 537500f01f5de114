import { orderBody } from './order-body.ts';
import { httpRequest, RawConnection } from './raw-requests.ts';
import { monotonicMs, serveParent } from './serve-parent.ts';

export interface PlayerLoad {
  port: number;
  key: string;
  atOnce: number;
  players: number;
  /** Ends at whichever comes first. */
  ms: number;
  orders: number;
  /** Each player also waits for the page that leads back to the game. */
  returns?: boolean;
}

export interface PlayerLoadResult {
  orderIds: string[];
  seconds: number;
  /** From the tap on Pay to the page with the deep link, of those who waited for it. */
  returnMs: number[];
}

const FORM = new URLSearchParams({
  card_number: '4242 4242 4242 4242',
  card_expiry: '12 / 40',
  card_cvc: '123',
  email: 'player@example.com',
  postal_code: '10115',
}).toString();

const DEEP_LINK = 'mygame://';
const MOST_PAGES = 50;

/** Reads the page again until it leads back to the game, as the page itself does when the answer is late. */
async function untilDeepLink(connection: RawConnection, host: string, path: string): Promise<void> {
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await connection.send(httpRequest('GET', path, host, {}, ''));
    if (page.status !== 200) throw new Error(`no page: ${page.status}`);
    if (page.body.includes(DEEP_LINK)) return;
  }
  throw new Error('the page does not lead back to the game');
}

async function buy(connection: RawConnection, load: PlayerLoad, returnMs: number[]): Promise<string> {
  const host = `127.0.0.1:${load.port}`;
  const json = { authorization: `Bearer ${load.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify(orderBody(Math.floor(Math.random() * load.players)));
  const created = await connection.send(httpRequest('POST', '/s2s/v1/orders', host, json, body));
  if (created.status !== 201) throw new Error(`not created: ${created.status} ${created.body}`);
  const { order_id: orderId, checkout_url: checkoutUrl } = JSON.parse(created.body) as Record<string, string>;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const path = new URL(checkoutUrl!).pathname;
  const tappedAt = monotonicMs();
  const paid = await connection.send(httpRequest('POST', `${path}/pay`, host, form, FORM));
  if (paid.status !== 303) throw new Error(`not paid: ${paid.status}`);
  if (load.returns) {
    await untilDeepLink(connection, host, path);
    returnMs.push(monotonicMs() - tappedAt);
  }
  return orderId!;
}

/** Players who create an order, pay it, and begin again when the answer came. What became of the orders the parent checks. */
async function run(load: PlayerLoad): Promise<PlayerLoadResult> {
  const connections = await Promise.all(Array.from({ length: load.atOnce }, () => RawConnection.open(load.port)));
  const orderIds: string[] = [];
  const returnMs: number[] = [];
  const startedAt = monotonicMs();
  let begun = 0;
  const drive = async (connection: RawConnection): Promise<void> => {
    while (monotonicMs() < startedAt + load.ms && begun++ < load.orders)
      orderIds.push(await buy(connection, load, returnMs));
  };
  await Promise.all(connections.map(drive)).finally(() => {
    for (const connection of connections) connection.close();
  });
  return { orderIds, seconds: (monotonicMs() - startedAt) / 1000, returnMs };
}

serveParent(run);
