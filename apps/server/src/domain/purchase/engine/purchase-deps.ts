import type { Db } from '../../../db/db.ts';
import type { DbClock } from '../../../db/db-clock.ts';
import type { Signals } from '../../../db/signals.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { Gateway } from '../../payment/providers/base/gateway.ts';
import type { AttemptLimits } from '../../payment/start-payment.ts';
import type { Sender } from '../../webhook/sending/send.ts';

export interface PurchaseDeps {
  db: Db;
  clock: DbClock;
  seal: Seal;
  signals: Signals;
  sender: Sender;
  gateways: Readonly<Record<string, Gateway>>;
  random: () => number;
  /** Declined attempts within an hour; the contract's when not given. */
  attemptLimits?: AttemptLimits;
  /** Work that goes on after the answer; the program waits for it before it stops. */
  background: (work: Promise<unknown>, what: string) => void;
}

export { orderKey } from '../../order/read-order.ts';
