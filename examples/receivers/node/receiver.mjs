// A Coinslot webhook receiver in plain Node. Run: WEBHOOK_SECRET=… PORT=4300 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const SECRET = process.env.WEBHOOK_SECRET;
const JOURNAL = process.env.JOURNAL ?? 'granted.journal';
const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;
// With an empty or guessable secret any stranger could grant items.
if (!SECRET || SECRET.trim().length < 8) {
  throw new Error('Set WEBHOOK_SECRET to the signing secret: the S2S key, or the secret of the webhook.');
}

// All of it follows from the journal: one line for each webhook that was handled. So a crash saves the grant and the
// key, or neither. In your game, save both in one transaction of its database.
const inventory = new Map();
const answered = new Map();
const orders = new Map();

async function readRaw(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isSigned(headers, raw) {
  const timestamp = headers['x-service-signature-timestamp'] ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = Buffer.from(createHmac('sha256', SECRET).update(`${timestamp}.`).update(raw).digest('hex'));
  // During a rotation the previous secret signs in the second header.
  return ['x-service-signature', 'x-service-signature-previous'].some(name => {
    const given = Buffer.from(headers[name] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function handle({ event_type, event_data }, print) {
  const { player_id, items, order_id, grant } = event_data;
  if (event_type === 'item.add' && player_id === 'banned') {
    return [422, { code: 'declined', message: 'This player is banned.' }];
  }
  // The removal of a purchase that never arrived takes nothing, and a purchase that arrives after it gives nothing.
  const last = orders.get(order_id);
  orders.set(order_id, event_type);
  const counts = event_type === 'item.add' ? last !== 'item.remove' : last === 'item.add' || grant === 'confirmed';
  if (!counts) return [200, { status: 'ok' }];
  const held = inventory.get(player_id) ?? new Map();
  inventory.set(player_id, held);
  for (const { sku, quantity = 1 } of items) {
    const change = event_type === 'item.add' ? quantity : -quantity;
    held.set(sku, (held.get(sku) ?? 0) + change);
    print(`${event_type} ${player_id} ${sku} ${held.get(sku)}`);
  }
  return [200, { status: 'ok' }];
}

function handleOnce(event, raw) {
  const key = event.idempotency_key;
  if (!answered.has(key)) {
    appendFileSync(JOURNAL, `${raw.toString('base64')}\n`);
    answered.set(key, handle(event, console.log));
  }
  return answered.get(key);
}

function answer(headers, raw) {
  if (!isSigned(headers, raw)) return [403, { error: 'signature' }];
  let event;
  try {
    event = JSON.parse(raw.toString('utf8'));
  } catch {
    return [400, { error: 'not JSON' }];
  }
  if (event?.event_type === 'webhook.test') return [200, { status: 'ok' }];
  if (event?.event_type !== 'item.add' && event?.event_type !== 'item.remove') return [400, { error: 'event_type' }];
  // Answers when it is saved, and not before: a 2xx captures the money.
  return handleOnce(event, raw);
}

async function respond(request, response) {
  const raw = await readRaw(request);
  const [status, body] = raw === null ? [413, { error: 'too large' }] : answer(request.headers, raw);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

for (const line of existsSync(JOURNAL) ? readFileSync(JOURNAL, 'utf8').split('\n') : []) {
  try {
    const event = JSON.parse(Buffer.from(line, 'base64'));
    const silent = () => {};
    answered.set(event.idempotency_key, handle(event, silent));
  } catch {
    // A line that a crash cut off was never answered.
  }
}
appendFileSync(JOURNAL, '\n');

// A client that disconnects early must not crash the server.
createServer((request, response) => void respond(request, response).catch(() => response.destroy())).listen(
  Number(process.env.PORT ?? 4300),
  '127.0.0.1',
);
