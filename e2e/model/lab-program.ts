// The program as the lab runs it in a process of its own: the provider and the game are asked over a socket, work is done
// when the lab says so, and after a number of statements that the lab gives it kills itself.
import type { AddressInfo } from 'node:net';
import { rollUpLedger } from '../../apps/server/src/domain/ledger/roll-up-ledger.ts';
import { syncPayment } from '../../apps/server/src/domain/purchase/engine/sync-payment.ts';
import { wire } from '../../apps/server/src/program/wire.ts';
import { loadConfig } from '../../apps/server/src/settings/config.ts';
import { labParts } from './lab-parts.ts';
import { isDefect } from './planted.ts';
import type { Order } from './programs.ts';
import { remoteOutside } from './world/outside.ts';

const { LAB_WORLD_URL = '', LAB_DEFECT } = process.env;
let statementsLeft = Number.POSITIVE_INFINITY;

const config = loadConfig();
const program = wire({
  config,
  databaseUrl: config.databaseUrl!,
  masterKey: config.masterKey!,
  version: '0.0.0-test',
  replace: labParts(remoteOutside(LAB_WORLD_URL), isDefect(LAB_DEFECT) ? LAB_DEFECT : null, () => {
    if (statementsLeft-- <= 0) process.kill(process.pid, 'SIGKILL');
  }),
});

async function obey(order: Order): Promise<void> {
  if (order.what === 'die') statementsLeft = order.afterStatements;
  if (order.what === 'refresh') await program.parts.clock.refresh();
  if (order.what === 'hear') await syncPayment(program.purchasing, order.ref);
  if (order.what === 'roll up') while (await rollUpLedger(program.purchasing));
  if (order.what === 'drain') {
    await program.workers.drain(order.isWhole ? 'all' : 'orders');
    await program.parts.background.settle();
  }
}

process.on('message', message => {
  const order = message as Order & { id: number };
  void obey(order)
    .then(() => true)
    .catch(() => false)
    .then(done => process.send?.({ id: order.id, done }));
});

// A function, because what is started from a cache is no module that could wait at its top.
async function main(): Promise<void> {
  await program.start();
  await program.app.listen({ port: config.port, host: config.host });
  process.send?.({ port: (program.app.server.address() as AddressInfo).port });
}

void main();
