// A Coinslot webhook receiver in plain Node. Run: WEBHOOK_SECRET=… PORT=4300 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const SECRET = process.env.WEBHOOK_SECRET;
const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;
// With an empty or guessable secret any stranger could grant items.
if (!SECRET || SECRET.trim().length < 8) {
  throw new Error('Set WEBHOOK_SECRET to the signing secret: the S2S key, or the secret of the webhook.');
}

// A real game stores both in its database, in one transaction.
const inventory = new Map();
const answered = new Map();

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

function handle({ event_type, event_data }) {
  const { player_id, items } = event_data;
  if (event_type === 'item.add' && player_id === 'banned') {
    return [422, { code: 'declined', message: 'This player is banned.' }];
  }
  const held = inventory.get(player_id) ?? new Map();
  inventory.set(player_id, held);
  for (const { sku, quantity = 1 } of items) {
    held.set(sku, (held.get(sku) ?? 0) + (event_type === 'item.add' ? quantity : -quantity));
    console.log(`${event_type} ${player_id} ${sku} ${held.get(sku)}`);
  }
  return [200, { status: 'ok' }];
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
  const key = event.idempotency_key;
  if (!answered.has(key)) answered.set(key, handle(event));
  return answered.get(key);
}

async function respond(request, response) {
  const raw = await readRaw(request);
  const [status, body] = raw === null ? [413, { error: 'too large' }] : answer(request.headers, raw);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

// A client that disconnects early must not crash the server.
createServer((request, response) => void respond(request, response).catch(() => response.destroy())).listen(
  Number(process.env.PORT ?? 4300),
  '127.0.0.1',
);
