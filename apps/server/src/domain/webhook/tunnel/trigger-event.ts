import { EVENTS, type EventKind, type Issue, type TriggerEvent } from '@coinslot/contract';
import type { Tx } from '../../../db/db.ts';
import { bodyCheck } from '../../../http/validate.ts';
import { AppError } from '../../../kit/app-error.ts';
import { newId } from '../../../kit/ids.ts';
import type { Shop } from '../../shop.ts';
import { findItemTarget } from '../endpoints/delivery-target.sql.ts';
import { selectorsOf } from '../endpoints/subscription.ts';
import { bodyFor, playerContext } from '../sending/event-body.ts';
import { insertTriggeredEvent, listReceivers, type Receiver, type TestDelivery } from './event-list.sql.ts';
import { LISTEN_URL } from './relay.ts';
import { sampleEvent, withOverrides } from './sample-event.ts';

export interface Triggered {
  eventId: string;
  kind: EventKind;
  idempotencyKey: string;
  data: Record<string, unknown>;
  deliveries: { id: string; receiver: Receiver }[];
  /** Fields of the overrides that the kind does not have. */
  warnings: string[];
}

/** The mark of an event that a developer made up; the receiver and the delivery log see it. */
const TEST_KEY = 'test_';

export const isTestDelivery = ({ kind, idempotencyKey }: { kind: EventKind; idempotencyKey: string }): boolean =>
  kind === 'webhook.test' || idempotencyKey.startsWith(TEST_KEY);

const checks = new Map<EventKind, ReturnType<typeof bodyCheck>>();

function check(kind: EventKind, data: Record<string, unknown>): string[] {
  const checkKind = checks.get(kind) ?? bodyCheck(EVENTS[kind].data);
  checks.set(kind, checkKind);
  const { issues, warnings } = checkKind({ value: data as never, inexact: false });
  const inOverrides = (issue: Issue): Issue => ({ ...issue, pointer: `/overrides${issue.pointer}` });
  if (issues.length > 0) {
    const detail = `The overrides do not have the shape of ${kind}.`;
    throw new AppError('validation_failed', { detail, issues: issues.map(inOverrides) });
  }
  return warnings.map(pointer => `/overrides${pointer}`);
}

/** Items go where real ones would go; everything else to all who take it. */
async function receiversOf(tx: Tx, environmentId: string, kind: EventKind): Promise<Receiver[]> {
  if (!kind.startsWith('item.')) return listReceivers(tx, environmentId, selectorsOf(kind));
  const target = await findItemTarget(tx, environmentId);
  if (!target) return [];
  const { subscriptionId: id, url, playerContextEnabled, gameId, mode } = target;
  return [{ id, url, isListener: url.startsWith(LISTEN_URL), playerContextEnabled, gameId, mode }];
}

/** Makes up an event and sends it as a real one is sent. It is about no order, so nothing can come of the answers. */
export function triggerEvent(
  { db, clock, signals }: Shop,
  environmentId: string,
  { event_type: kind, overrides = {} }: TriggerEvent,
): Promise<Triggered> {
  return db.transaction(async tx => {
    const receivers = await receiversOf(tx, environmentId, kind);
    const facts = {
      orderId: newId('ord'),
      paymentId: newId('pay'),
      webhookId: receivers[0]?.id ?? newId('whk'),
      nowSeconds: clock.nowSeconds(),
    };
    const data = withOverrides(sampleEvent(kind, facts), overrides);
    const warnings = check(kind, data);
    const eventId = newId('evt');
    const idempotencyKey = `${TEST_KEY}${eventId.slice('evt_'.length)}`;
    const event = { id: eventId, kind, createdAt: new Date(clock.nowMs()), data };
    const deliveries: (TestDelivery & { receiver: Receiver })[] = [];
    for (const receiver of receivers) {
      const player = receiver.playerContextEnabled ? await playerContext(tx, { environmentId, data }) : null;
      const body = bodyFor(event, receiver, idempotencyKey, player);
      deliveries.push({ id: newId('dlv'), subscriptionId: receiver.id, idempotencyKey, body, receiver });
    }
    insertTriggeredEvent(tx, { environmentId, id: eventId, kind, data }, deliveries);
    tx.afterCommit(() => signals.announce('deliveries'));
    return { eventId, kind, idempotencyKey, data, deliveries, warnings };
  });
}
