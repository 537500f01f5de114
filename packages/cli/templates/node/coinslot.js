// Handles Coinslot's webhooks for the game, in any framework.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

const SECRET = process.env.WEBHOOK_SECRET;
const JOURNAL = process.env.JOURNAL ?? 'granted.jsonl';
const TOLERANCE_SECONDS = 300;
// With an empty or guessable secret any stranger could grant items.
if (!SECRET || SECRET.trim().length < 8) {
  throw new Error('Set WEBHOOK_SECRET to the signing secret: the S2S key, or the secret of the webhook.');
}

// What was granted, and which keys were handled. Each event is one line of a file, so that both are saved or neither
// is. In your game, save both in one transaction of its database.
const inventory = new Map();
const handled = new Set();
const orders = new Map();

function apply({ key, order, kind, changes }) {
  handled.add(key);
  orders.set(order, kind);
  for (const { player, sku, change } of changes) {
    const held = inventory.get(player) ?? new Map();
    held.set(sku, (held.get(sku) ?? 0) + change);
    inventory.set(player, held);
  }
}

if (existsSync(JOURNAL)) {
  for (const line of readFileSync(JOURNAL, 'utf8').split('\n')) if (line) apply(JSON.parse(line));
}

function isSigned(header, raw) {
  const timestamp = header('x-service-signature-timestamp') ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = Buffer.from(createHmac('sha256', SECRET).update(`${timestamp}.`).update(raw).digest('hex'));
  // During a rotation the previous secret signs in the second header.
  return ['x-service-signature', 'x-service-signature-previous'].some(name => {
    const given = Buffer.from(header(name) ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/**
 * Grants or revokes, once for each key. You may also decline here: return [422, { code: 'declined', message: '…' }].
 */
function handle({ event_type, event_data, idempotency_key: key }) {
  if (handled.has(key)) return [200, { status: 'ok' }];
  const { player_id: player, order_id: order, items, grant } = event_data;
  // The removal of a purchase that never arrived takes nothing, and a purchase that arrives after it gives nothing.
  const last = orders.get(order);
  const counts = event_type === 'item.add' ? last !== 'item.remove' : last === 'item.add' || grant === 'confirmed';
  const sign = event_type === 'item.add' ? 1 : -1;
  const changed = counts ? items : [];
  const changes = changed.map(({ sku, quantity = 1 }) => ({ player, sku, change: sign * quantity }));
  const entry = { key, order, kind: event_type, changes };
  appendFileSync(JOURNAL, `${JSON.stringify(entry)}\n`);
  apply(entry);
  for (const { sku } of changed) console.log(`${event_type} ${player} ${sku} ${inventory.get(player).get(sku)}`);
  return [200, { status: 'ok' }];
}

/**
 * Returns status and JSON body for a webhook. `header` reads a header by its lower-case name. `raw` are the body's raw
 * bytes, which the signature covers.
 */
export function answer(header, raw) {
  if (!isSigned(header, raw)) return [403, { error: 'signature' }];
  let event;
  try {
    event = JSON.parse(Buffer.from(raw).toString('utf8'));
  } catch {
    return [400, { error: 'not JSON' }];
  }
  if (event?.event_type === 'webhook.test') return [200, { status: 'ok' }];
  if (event?.event_type !== 'item.add' && event?.event_type !== 'item.remove') return [400, { error: 'event_type' }];
  return handle(event);
}
