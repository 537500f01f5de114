import type { Db } from '../db/db.ts';
import type { DbClock } from '../db/db-clock.ts';
import type { Signals } from '../db/signals.ts';
import type { Budgets } from '../http/limits/budgets.ts';
import type { Seal } from '../kit/seal.ts';
import type { Mailer } from '../mail/mailer.ts';

export interface OutsideRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface OutsideAnswer {
  /** Null when no answer came. */
  status: number | null;
  headers: Readonly<Record<string, string>>;
  body: string;
  error: string | null;
}

/**
 * What every use case may need. The program makes it once, and gives each caller one with the pool that its work belongs
 * to. Modules that bring parts of their own extend it: payment, webhook, purchase.
 */
export interface Shop {
  /** Doors, reports and the money path have a pool each. */
  db: Db;
  clock: DbClock;
  seal: Seal;
  signals: Signals;
  random: () => number;
  /** Calls an address that a member chose, with the checks of webhook targets. */
  callOutside: (request: OutsideRequest) => Promise<OutsideAnswer>;
  /** What one company may use. */
  budgets: Budgets;
  /** Work that goes on after the answer; the program waits for it before it stops. */
  background: (work: Promise<unknown>, what: string) => void;
  onError: (error: unknown, source?: string, about?: object) => void;
  /** Where the service is reached, without a slash at the end. */
  publicUrl: string;
  checkoutUrlOf: (environmentId: string, orderId: string) => string;
  /** Null without a mail server: mails stay in the database for an operator to read. */
  mailer: Mailer | null;
  /** Where old rows lie as files, from which a player is erased too. */
  archiveDir: string | undefined;
  registration: 'open' | 'closed' | 'first';
  /** Every member of every company needs a second factor. */
  requireSecondFactor: boolean;
  /** Keys of a provider's test mode are for development. */
  allowTestKeys: boolean;
  /** Tests hash passwords at a lower cost. */
  passwordCost?: { memoryKib: number; passes: number };
}
