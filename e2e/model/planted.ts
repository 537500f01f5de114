import type { Db, Tx } from '../../apps/server/src/db/db.ts';
import type { Statement } from '../../apps/server/src/db/sql.ts';
import type { Charge, Dispute } from '../../apps/server/src/domain/payment/providers/base/charge-shape.ts';
import { OutcomeUnknown } from '../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { Outside, ProviderCalls } from './world/outside.ts';

/** Mistakes that a shop could make. The lab plants one in its own program and must find it. */
export const DEFECTS = [
  'drop a refused refund',
  'send a second capture',
  'take silence for a grant',
  'take silence for a decline',
  'new key at every attempt',
  'lose a removal',
  'read an unclear dispute as won',
  'skip the lock of an order',
  'forget the date of the next check',
  'leave refunds out of the ledger',
  'forget a cancellation',
  'forget the heartbeat of a job',
] as const;
export type Defect = (typeof DEFECTS)[number];

export const isDefect = (text: string | undefined): text is Defect =>
  (DEFECTS as readonly (string | undefined)[]).includes(text);

type Provider = Partial<ProviderCalls>;

const asReturned = (charge: Charge): Charge => ({ ...charge, status: 'refunded' });

const PROVIDERS: Partial<Record<Defect, (provider: ProviderCalls) => Provider>> = {
  'drop a refused refund': provider => ({
    async refund(ref) {
      const answer = await provider.refund(ref);
      const charge = answer.kind === 'refused' ? await provider.lookUp(ref) : null;
      return charge ? { kind: 'charge', charge: asReturned(charge) } : answer;
    },
  }),
  'send a second capture': provider => ({
    async authorize(request) {
      const again = { ...request, paymentId: `${request.paymentId}_again` };
      await provider.authorize(again).catch(() => {});
      return provider.authorize(request);
    },
    async capture(ref) {
      await provider.capture({ ...ref, paymentId: `${ref.paymentId}_again` }).catch(() => {});
      return provider.capture(ref);
    },
  }),
  'take silence for a decline': provider => ({
    async authorize(request) {
      try {
        return await provider.authorize(request);
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error;
        return declined(request);
      }
    },
  }),
  'read an unclear dispute as won': provider => ({
    async lookUp(ref) {
      const charge = await provider.lookUp(ref);
      const isUnclear = ({ status }: Dispute): boolean => status === 'unclear';
      const disputes = charge?.disputes.map(it => (isUnclear(it) ? { ...it, status: 'won' as const } : it));
      return charge && { ...charge, disputes: disputes! };
    },
  }),
};

const declined = ({ amountMinor, currency }: { amountMinor: number; currency: string }): Charge => ({
  status: 'declined',
  amountMinor,
  currency,
  brand: null,
  last4: null,
  country: null,
  responseCode: '16',
  responseDescription: 'Payment declined',
  challengeUrl: null,
  disputes: [],
  askAgainInSeconds: null,
});

const DELIVERIES: Partial<Record<Defect, (deliver: Outside['deliver']) => Outside['deliver']>> = {
  'take silence for a grant': deliver => async body => {
    const answer = await deliver(body);
    return answer.status === null ? { status: 200, body: '' } : answer;
  },
  'new key at every attempt': deliver => {
    let attempt = 0;
    return body => deliver(body.replace(/"idempotency_key":"[^"]*"/, `"idempotency_key":"key_${++attempt}"`));
  },
  'lose a removal': deliver => async body =>
    body.includes('"item.remove"') ? { status: 200, body: '' } : deliver(body),
};

export function plantedOutside(outside: Outside, defect: Defect | null): Outside {
  if (!defect) return outside;
  const provider = { ...outside.provider, ...PROVIDERS[defect]?.(outside.provider) };
  return { ...outside, provider, deliver: DELIVERIES[defect]?.(outside.deliver) ?? outside.deliver };
}

interface Named {
  name: string;
  text: string;
}
/** What the planted mistake makes of a statement's text. */
type Change = (statement: Named) => string;

const CHANGES: Partial<Record<Defect, Change>> = {
  // The comparison of versions would find what the lock did not keep apart, so the mistake is both.
  'skip the lock of an order': ({ name, text }) => {
    if (name === 'order_lock') return text.replace(/for update of o/, '');
    if (name === 'order_update') return text.replace('version = t.version', 'version = o.version + 1');
    return name === 'payment_update' ? text.replace('version = t.version', 'version = p.version + 1') : text;
  },
  // Both statements that write it: with the payment's other columns, and alone.
  'forget the date of the next check': ({ name, text }) =>
    name.startsWith('payment_')
      ? text.replace(/next_check_at = app_now\(\) \+ make_interval\(secs => t\."?\w+"?\)/, 'next_check_at = null')
      : text,
  'forget the heartbeat of a job': ({ name, text }) =>
    name === 'job_renew' ? text.replace(/where/, 'where false and') : text,
  'leave refunds out of the ledger': ({ name, text }) =>
    name === 'ledger_insert' ? text.replace('on conflict', "where t.kind <> 'refunded' on conflict") : text,
};

/** What is run behind a statement, so that its work is spoiled. */
const AFTER: Partial<Record<Defect, { when: RegExp; text: string }>> = {
  'forget a cancellation': {
    when: /update orders/,
    text: "update orders set status = 'created', version = version + 1 where status = 'canceled'",
  },
};

/** Statements that were changed so far: a defect whose words no longer fit the program's would be in no one's way. */
const planted = new Set<string>();

/** A statement for many rows is known by the object it is, so each is changed once. */
function changer(change: Change | undefined) {
  const known = new WeakMap<object, Named>();
  return <S extends Named>(statement: S): S => {
    const text = change?.(statement) ?? statement.text;
    if (text === statement.text) return statement;
    planted.add(statement.name);
    const made = known.get(statement) ?? { ...statement, name: `${statement.name}_planted`, text };
    known.set(statement, made);
    return made as S;
  };
}

function plantedTx(tx: Tx, changed: ReturnType<typeof changer>, after: (typeof AFTER)[Defect]): Tx {
  const spoil = (text: string): void => {
    if (after?.when.test(text)) tx.write({ name: '', text: after.text, values: [] });
  };
  return {
    ...tx,
    async query<Row>(statement: Statement) {
      const rows = await tx.query<Row>(changed(statement));
      spoil(statement.text);
      return rows;
    },
    queryRow: (statement, row) => tx.queryRow(changed(statement), row),
    write(statement) {
      tx.write(changed(statement));
      spoil(statement.text);
    },
    writeRows(statement, rows) {
      tx.writeRows(changed(statement), rows);
      spoil(statement.text);
    },
  };
}

/** Whether the defect is one of a statement's text and no statement had that text. */
export const isMissing = (defect: Defect): boolean => CHANGES[defect] !== undefined && planted.size === 0;

export function plantedDb(db: Db, defect: Defect | null): Db {
  const change = defect ? CHANGES[defect] : undefined;
  const after = defect ? AFTER[defect] : undefined;
  if (!change && !after) return db;
  const changed = changer(change);
  const spoiled = (tx: Tx): Tx => plantedTx(tx, changed, after);
  return {
    ...db,
    query: statement => db.query(changed(statement)),
    transaction: work => db.transaction(tx => work(spoiled(tx))),
    shared: (key, work) => db.shared(key, tx => work(spoiled(tx))),
  };
}
