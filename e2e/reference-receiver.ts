import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Payload {
  event_type: string;
  event_data: { player_id: string; items: { sku: string; quantity: number }[]; order_id: string };
  idempotency_key: string;
  context?: unknown;
}

export interface Received {
  method: string;
  headers: IncomingMessage['headers'];
  rawBody: string;
  payload: Payload;
  /** The status it was answered with. */
  answer: number;
}

/** The reference receiver, written from the interface document and nothing else. */
export interface ReferenceReceiver {
  url: string;
  received: Received[];
  /** The skus each player holds. */
  inventory: Map<string, string[]>;
  /** Statuses it answers before it does anything, one each. */
  troubles: number[];
  forget(): void;
  close(): void;
}

/** "Read the raw request body exactly as received, as text", and so on, step by step. */
function isSigned({ headers }: IncomingMessage, rawBody: string, secret: string): boolean {
  const timestamp = headers['x-service-signature-timestamp'];
  const signature = Buffer.from(String(headers['x-service-signature']));
  const digest = createHmac('sha256', secret)
    .update(`${String(timestamp)}.${rawBody}`)
    .digest('hex');
  return signature.length === digest.length && timingSafeEqual(signature, Buffer.from(digest));
}

export async function startReceiver(
  certificate: { key: string; cert: string },
  secret: () => string,
): Promise<ReferenceReceiver> {
  const processed = new Set<string>();

  function process({ event_type, event_data, idempotency_key }: Payload): void {
    if (processed.has(idempotency_key)) return;
    processed.add(idempotency_key);
    const held = receiver.inventory.get(event_data.player_id) ?? [];
    receiver.inventory.set(event_data.player_id, held);
    for (const { sku } of event_data.items) {
      if (event_type === 'item.add') held.push(sku);
      else held.splice(held.indexOf(sku), 1);
    }
  }

  function judge(request: IncomingMessage, rawBody: string): number {
    const trouble = receiver.troubles.shift();
    if (trouble !== undefined) return trouble;
    if (!isSigned(request, rawBody, secret())) return 403;
    const payload: Payload = JSON.parse(rawBody);
    if (payload.event_type !== 'item.add' && payload.event_type !== 'item.remove') return 400;
    process(payload);
    return 200;
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const rawBody = await text(request);
    const answer = judge(request, rawBody);
    const { method = '', headers } = request;
    receiver.received.push({ method, headers, rawBody, payload: JSON.parse(rawBody), answer });
    response.writeHead(answer, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer === 200 ? { status: 'ok' } : { error: answer }));
  }

  const server = createServer(certificate, (request, response) => void receive(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

  const receiver: ReferenceReceiver = {
    url: `https://localhost:${(server.address() as AddressInfo).port}/webhooks`,
    received: [],
    inventory: new Map(),
    troubles: [],
    forget() {
      receiver.received = [];
      receiver.inventory = new Map();
      receiver.troubles = [];
      processed.clear();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
