import type { Db } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import type { Signals } from '../../db/signals.ts';
import type { FulfillmentDeps } from '../../domain/fulfillment/fulfillment-deps.ts';
import type { CreateOrderCase } from '../../domain/order/create-order.ts';
import type { Connections } from '../../domain/payment/connections/connections.ts';
import type { TargetPolicy } from '../../domain/webhook/sending/target.ts';
import type { Seal } from '../../kit/seal.ts';

export interface DashboardDeps {
  db: Db;
  clock: DbClock;
  seal: Seal;
  signals: Signals;
  fulfillment: FulfillmentDeps;
  targetPolicy: TargetPolicy;
  createOrder: CreateOrderCase;
  /** Who takes real money, and what keys are allowed here. */
  provider: Pick<Connections, 'provider' | 'directory' | 'fromSettings'> & {
    allowTestKeys: boolean;
    isSimulated: boolean;
  };
  /** Where the service is reached, without a slash at the end. */
  publicUrl: string;
  onError: (error: unknown) => void;
}
