import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The same database by way of the proxy. */
  url: string;
  /** What is open now says nothing more, in either direction, and is not closed; new connections work. */
  silenceOpen(): void;
  /** Nothing passes, not even the answer to a new connection, until `restore`. */
  blackHole(): void;
  restore(): void;
  /** Each piece that the database sends comes this much later. */
  slow(ms: number): void;
  /** How often the program has begun to send after the database had answered: the number of round trips. */
  trips(): number;
  close(): Promise<void>;
}

interface Pair {
  near: Socket;
  far: Socket;
}

/** A real network between the program and its database, of the kind that loses packets without a word. */
export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const socketFolder = target.searchParams.get('host');
  const port = Number(target.port || 5432);
  const reach = (): Socket =>
    socketFolder ? connect(`${socketFolder}/.s.PGSQL.${port}`) : connect(port, target.hostname);
  const pairs = new Set<Pair>();
  const silent = new Set<Socket>();
  let isBlackHole = false;
  let slowMs = 0;
  let trips = 0;

  const server = createServer(near => {
    near.on('error', () => {});
    if (isBlackHole) {
      silent.add(near);
      near.pause();
      return;
    }
    const far = reach();
    const pair = { near, far };
    pairs.add(pair);
    near.pipe(far);
    let isProgramsTurn = true;
    near.on('data', () => {
      if (isProgramsTurn) trips++;
      isProgramsTurn = false;
    });
    far.on('data', piece => {
      isProgramsTurn = true;
      const pass = (): void => {
        if (!silent.has(far)) near.write(piece, () => far.resume());
      };
      far.pause();
      if (slowMs === 0) pass();
      else setTimeout(pass, slowMs);
    });
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

  function silenceOpen(): void {
    for (const { near, far } of pairs) {
      near.unpipe(far);
      near.pause();
      far.pause();
      silent.add(near).add(far);
    }
    pairs.clear();
  }

  const proxied = new URL(databaseUrl);
  proxied.searchParams.delete('host');
  proxied.hostname = '127.0.0.1';
  proxied.port = String((server.address() as AddressInfo).port);
  return {
    url: proxied.href,
    trips: () => trips,
    silenceOpen,
    blackHole() {
      isBlackHole = true;
      silenceOpen();
    },
    slow(ms) {
      slowMs = ms;
    },
    restore() {
      isBlackHole = false;
    },
    async close() {
      for (const socket of silent) socket.destroy();
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      await new Promise(resolve => server.close(resolve));
    },
  };
}
