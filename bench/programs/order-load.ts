import { orderBody } from './order-body.ts';
import { httpRequest, RawConnection } from './raw-requests.ts';
import { monotonicMs, serveParent } from './serve-parent.ts';

export interface OrderLoad {
  port: number;
  key: string;
  connections: number;
  players: number;
  ms: number;
  /** The price stands in the catalog and not in the body. */
  byCatalog?: boolean;
}

export interface OrderLoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const BODIES = 4_096;

function requestsOf({ port, key, players, byCatalog = false }: OrderLoad): Buffer[] {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return Array.from({ length: BODIES }, () => {
    const { price_decimal, currency, ...order } = orderBody(Math.floor(Math.random() * players));
    const body = JSON.stringify(byCatalog ? order : { ...order, price_decimal, currency });
    return httpRequest('POST', '/s2s/v1/orders', `127.0.0.1:${port}`, headers, body);
  });
}

/** Creates orders (or calls a program that answers like it) as fast as the connections allow, for the given time. */
async function run(load: OrderLoad): Promise<OrderLoadResult> {
  const requests = requestsOf(load);
  const connections = await Promise.all(Array.from({ length: load.connections }, () => RawConnection.open(load.port)));
  const times: number[] = [];
  let next = 0;
  const startedAt = monotonicMs();
  const deadline = startedAt + load.ms;
  const drive = async (connection: RawConnection): Promise<void> => {
    for (let before = startedAt; before < deadline; ) {
      const { status, body } = await connection.send(requests[next++ % BODIES]!);
      if (status !== 201) throw new Error(`answered ${status}: ${body}`);
      const after = monotonicMs();
      times.push(after - before);
      before = after;
    }
  };
  await Promise.all(connections.map(drive)).finally(() => {
    for (const connection of connections) connection.close();
  });
  const seconds = (monotonicMs() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

serveParent(run);
