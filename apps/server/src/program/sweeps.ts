import type { Db } from '../db/db.ts';
import { updateHeartbeat } from '../db/health.sql.ts';
import { hasUnread } from '../db/read-numbered.sql.ts';
import type { Fragment } from '../db/statement.ts';
import { AUDIT_READER, extendAuditChain } from '../domain/audit/audit-chain.ts';
import { deleteOldRequests } from '../domain/game/keys/request-log.sql.ts';
import { LEDGER_DUE } from '../domain/ledger/ledger.sql.ts';
import { rollUpLedger } from '../domain/ledger/roll-up-ledger.ts';
import { RECEIPTS_READER, writeReceipts } from '../domain/notification/write-receipts.ts';
import { expireOrders } from '../domain/order/expire-orders.ts';
import { deleteOldIdempotencyKeys } from '../domain/order/idempotency-key.sql.ts';
import { ORDERS_LAPSED } from '../domain/order/order.sql.ts';
import { deleteOldProviderEvents } from '../domain/payment/callbacks/provider-event.sql.ts';
import { eraseUnneededKeys } from '../domain/payment/merchant-accounts/leave-provider.ts';
import { checkDue } from '../domain/payment/provider-health/check-due.ts';
import { expireHeldGrants } from '../domain/purchase/engine/expire-held-grants.ts';
import type { PurchaseShop } from '../domain/purchase/engine/purchase.ts';
import { reconcileDue } from '../domain/reconciliation/reconcile-due.ts';
import {
  FIGURES_READER,
  ORDERS_READER,
  rollUpAttempts,
  rollUpEvents,
  rollUpOrders,
} from '../domain/reporting/roll-ups/roll-up.ts';
import { PLAYERS_READER, rollUpPlayers } from '../domain/reporting/roll-ups/roll-up-players.ts';
import { type RetentionDays, runRetention } from '../domain/retention/run-retention.ts';
import { ANY_HELD_TOO_LONG } from '../domain/webhook/delivery/held-too-long.sql.ts';
import { EVENTS_TO_FAN_OUT } from '../domain/webhook/events/event-rows.sql.ts';
import { fanOut } from '../domain/webhook/fan-out/fan-out.ts';
import { HEALTH_DUE } from '../domain/webhook/health/endpoint-health.sql.ts';
import { checkEndpoints } from '../domain/webhook/health/watch-endpoints.ts';
import { LISTENERS_LAPSED } from '../domain/webhook/tunnel/listener.sql.ts';
import { forgetListeners } from '../domain/webhook/tunnel/open-listener.ts';
import type { Watched } from '../jobs/lookout.ts';
import { createTicker, type Ticker } from '../jobs/ticker.ts';
import { withPool } from './parts.ts';

const CLEAN_EVERY_MS = 60_000;
const ROLL_UP_ATTEMPTS_EVERY_MS = 10_000;
const CLEAN_BATCH = 1_000;
const RECONCILE_EVERY_MS = 600_000;
const BEAT_EVERY_MS = 10_000;
const KEEP_ALL = { deliveries: 0, events: 0, mails: 0 };

export interface SweepOptions {
  /** Serves long reads: its time limits are longer. */
  reportDb: Db;
  /** Without it, everything is kept forever. */
  retentionDays?: RetentionDays;
}

/** What goes through tables beside the queues: when a look at the database finds something for it, or by the clock. */
export function buildSweeps(shop: PurchaseShop, { reportDb, retentionDays = KEEP_ALL }: SweepOptions) {
  const { db, onError } = shop;
  const sweeps: Watched[] = [];
  const ticker = (name: string, everyMs: number, work: () => Promise<boolean>): Ticker =>
    createTicker({ name, everyMs, work, onError });
  /** Runs when there is something for it, and not by the clock. */
  const sweep = (name: string, isDue: Fragment, work: () => Promise<boolean>, isUrgent = false): Ticker => {
    const woken = createTicker({ name, work, onError });
    sweeps.push({ isDue, isUrgent, wake: woken.wake });
    return woken;
  };
  const cleaner = (name: string, everyMs: number, clean: (db: Db, limit: number) => Promise<number>): Ticker =>
    ticker(name, everyMs, async () => (await clean(db, CLEAN_BATCH)) === CLEAN_BATCH);
  async function beat(): Promise<boolean> {
    await updateHeartbeat(db, 'worker');
    return false;
  }
  const ofOrders = [
    sweep('fan-out', EVENTS_TO_FAN_OUT, async () => (await fanOut(shop)) > 0, true),
    sweep('receipts', hasUnread(RECEIPTS_READER), () => writeReceipts(shop), true),
    sweep('expiry', ORDERS_LAPSED, async () => (await expireOrders(shop)) > 0),
    sweep('endpoints that failed', HEALTH_DUE, () => checkEndpoints(shop)),
    sweep('held deliveries', ANY_HELD_TOO_LONG, () => expireHeldGrants(shop)),
  ];
  const others = [
    ticker('retention', RECONCILE_EVERY_MS, () => runRetention(withPool(shop, reportDb), retentionDays)),
    ticker('heartbeat', BEAT_EVERY_MS, beat),
    sweep('ledger', LEDGER_DUE, () => rollUpLedger(shop)),
    sweep('audit chain', hasUnread(AUDIT_READER), () => extendAuditChain(shop)),
    sweep('listeners', LISTENERS_LAPSED, () => forgetListeners(db)),
    sweep('figures of events', hasUnread(FIGURES_READER), () => rollUpEvents(reportDb)),
    sweep('figures of players', hasUnread(PLAYERS_READER), () => rollUpPlayers(reportDb)),
    sweep('figures of orders', hasUnread(ORDERS_READER), () => rollUpOrders(reportDb)),
    ticker('figures of attempts', ROLL_UP_ATTEMPTS_EVERY_MS, () => rollUpAttempts(reportDb)),
    ticker('reconciliation', RECONCILE_EVERY_MS, () => reconcileDue(shop)),
    ticker('connection tests', RECONCILE_EVERY_MS, () => checkDue(shop)),
    ticker('keys of accounts that were left', RECONCILE_EVERY_MS, () => eraseUnneededKeys(shop)),
    cleaner('old callbacks', RECONCILE_EVERY_MS, deleteOldProviderEvents),
    cleaner('old requests', CLEAN_EVERY_MS, deleteOldRequests),
    cleaner('idempotency keys', CLEAN_EVERY_MS, deleteOldIdempotencyKeys),
  ];
  return { ofOrders, others, sweeps };
}
