import type { AddressInfo } from 'node:net';
import type { BatchingSwitches } from '../../apps/server/src/db/batching/batching.ts';
import { wire } from '../../apps/server/src/program/wire.ts';
import { loadConfig } from '../../apps/server/src/settings/config.ts';
import { serveParent } from './serve-parent.ts';

export interface Variant {
  databaseUrl: string;
  masterKey: string;
  batching: Partial<BatchingSwitches>;
}

/** The whole program as it ships, but with some of its batching switched off. */
async function start({ databaseUrl, masterKey, batching }: Variant): Promise<number> {
  const config = loadConfig({ PORT: '0', HOST: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'error' });
  const key = Buffer.from(masterKey, 'base64');
  const program = wire({ config, databaseUrl, masterKey: key, version: 'bench', batching });
  await program.start();
  program.workers.start();
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  return (program.app.server.address() as AddressInfo).port;
}

/** Microseconds of processor time so far: other programs on the machine change it far less than a rate. */
const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

serveParent((question: Variant | 'cpu') => (question === 'cpu' ? cpuMicros() : start(question)));
