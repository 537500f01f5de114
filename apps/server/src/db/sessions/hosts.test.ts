import { type AddressInfo, connect, createServer } from 'node:net';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { startTcpProxy, type TcpProxy } from '@coinslot/testing/tcp-proxy';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDb } from '../db.ts';
import { createSignals } from '../signals.ts';
import { connectOnce } from './connect-once.ts';
import { urlsOf } from './hosts.ts';

let database: TestDatabase;
let proxy: TcpProxy;
const plain = (text: string) => ({ name: '', text, values: [] });

beforeAll(async () => {
  database = await testDatabase();
  proxy = await startTcpProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

describe('several hosts', () => {
  it('are read from one URL', () => {
    expect(urlsOf('postgresql://u:p@a:1,b:2/shop?target_session_attrs=read-write&sslmode=require')).toEqual({
      urls: ['postgresql://u:p@a:1/shop?sslmode=verify-full', 'postgresql://u:p@b:2/shop?sslmode=verify-full'],
      mustBeWritable: true,
    });
    expect(urlsOf('postgresql://a/shop')).toEqual({ urls: ['postgresql://a/shop'], mustBeWritable: false });
  });

  it.each(['prefer', 'require', 'verify-ca', 'verify-full', 'disable', 'no-verify'])(
    'ask for TLS by sslmode=%s without a warning of the driver, as the driver understands it',
    async mode => {
      const warnings: Error[] = [];
      const keep = (warning: Error): void => void warnings.push(warning);
      process.on('warning', keep);
      const [address] = urlsOf(`postgresql://u:p@a:1/shop?sslmode=${mode}`).urls;
      const { connectionParameters } = new pg.Client({ connectionString: address }) as unknown as {
        connectionParameters: { ssl: unknown };
      };
      await new Promise(setImmediate);
      process.off('warning', keep);
      expect(warnings).toEqual([]);
      const checked = mode === 'no-verify' ? { rejectUnauthorized: false } : {};
      expect(connectionParameters.ssl).toEqual(mode === 'disable' ? false : checked);
    },
  );

  it('are tried in turn until one answers (row 119)', async () => {
    const closed = createServer();
    await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as { port: number };
    await new Promise(resolve => closed.close(resolve));
    const url = new URL(proxy.url);
    const both = proxy.url.replace(url.host, `127.0.0.1:${port},${url.host}`);
    const db = createDb({ url: both, maxConnections: 2, onError: () => {} });
    expect(await db.query(plain('select 1 as one'))).toEqual([{ one: 1 }]);
    await db.close();
    const signals = createSignals(both, () => {});
    await signals.start();
    await signals.stop();
  });

  it('are gone through again when the one that takes writes was too slow, as at the start of many programs (row 166)', async () => {
    let connections = 0;
    const { hostname, port, host } = new URL(proxy.url);
    const slow = createServer(near => {
      near.on('error', () => {});
      if (++connections <= 2) return;
      const far = connect(Number(port), hostname);
      far.on('error', () => near.destroy());
      near.pipe(far).pipe(near);
    });
    await new Promise<void>(resolve => slow.listen(0, '127.0.0.1', resolve));
    const again = `127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const client = await connectOnce(proxy.url.replace(host, `${again},${again}`), 'test');
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(connections).toBe(3);
    await client.end();
    slow.close();
  });
});
