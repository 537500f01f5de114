import { invalidArgument } from '../coinslot-error.ts';
import { readBody } from './read-body.ts';
import type { WebhookHandler } from './webhook-handler.ts';

/** The part of Node's `IncomingMessage` we use; Express requests and Fastify's `request.raw` have it too. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  readableEnded?: boolean;
  /** Set by body parsers. */
  body?: unknown;
  /** Set by some hosts beside a parsed body. */
  rawBody?: unknown;
}

/** The part of Node's `ServerResponse` we use. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

export type NodeListener = (request: NodeRequest, response: NodeResponse) => Promise<void>;

const LOST_BODY =
  'The raw body is gone: a parser consumed it, and a parsed body cannot be verified. Mount the webhook before express.json(), or use express.raw({ type: "*/*" }).';

async function* bytesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
}

/** A body that was already read, if its raw bytes are still there. */
function keptBody({ rawBody, body }: NodeRequest): Uint8Array | undefined {
  const kept = [rawBody, body].find(one => typeof one === 'string' || one instanceof Uint8Array);
  return typeof kept === 'string' ? new TextEncoder().encode(kept) : kept;
}

async function readRaw(request: NodeRequest, maxBytes: number): Promise<Uint8Array | undefined> {
  const kept = keptBody(request);
  if (kept) return kept.length > maxBytes ? undefined : kept;
  if (request.readableEnded) throw new Error(LOST_BODY);
  return readBody(bytesOf(request), maxBytes);
}

/** For `node:http`, Express and, with `request.raw` and `reply.raw`, Fastify. */
export function toNodeListener(handler: WebhookHandler): NodeListener {
  if (typeof handler?.receive !== 'function')
    throw invalidArgument('toNodeListener', 'needs what createWebhookHandler returns');
  return async (request, response) => {
    try {
      const { status, headers, body } = await handler.receive({
        method: request.method ?? '',
        headers: request.headers,
        readBody: maxBytes => readRaw(request, maxBytes),
      });
      response.writeHead(status, headers);
      response.end(body);
    } catch (error) {
      console.error('Coinslot webhook:', error);
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: error instanceof Error && error.message === LOST_BODY ? 'raw_body_lost' : 'failed' }),
      );
    }
  };
}
