import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { listen } from './port.ts';

it('a port that another program has is named with its setting and another one (row 143)', async ({
  onTestFinished,
}) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const app = Fastify();
  onTestFinished(async () => {
    taken.close();
    await app.close();
  });
  const { port } = taken.address() as AddressInfo;
  await expect(listen(app, 'OPS_PORT', port, '127.0.0.1')).rejects.toThrow(
    `OPS_PORT: another program listens on port ${port} already. Stop it, or take another. Example: OPS_PORT=${port + 1}`,
  );
  await expect(listen(app, 'PORT', 4242, '203.0.113.1')).rejects.toThrow(
    'HOST: this machine has no address 203.0.113.1',
  );
});
