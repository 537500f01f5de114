import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';

/** A webhook that arrived over the socket. */
export interface WebhookRequest {
  id: string;
  headers: Record<string, string>;
  body: string;
  timeout_ms: number;
}

export type LocalAnswer =
  | { type: 'answer'; status: number; headers: Record<string, string>; body: string; cut: boolean }
  | { type: 'failed'; failure: 'connect' | 'timeout' | 'broken'; reason: string };

const MAX_BODY_BYTES = 64 * 1024;
/** Stops a little before `timeout_ms`, so that the response reaches the service in time. */
const RESPONSE_MARGIN_MS = 300;
/** How long to keep reading the body of a 2xx, whose outcome is already known. */
const SUCCESS_BODY_MS = 1_000;
const HOP_BY_HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'no such host',
  EHOSTUNREACH: 'host unreachable',
  ETIMEDOUT: 'no answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed (try --insecure)',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate is self-signed (try --insecure)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate is not from a known authority (try --insecure)',
};

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP_BY_HOP_HEADERS.has(name) ? [] : [[name, String(value)]],
    ),
  );

/** Forwards a webhook to the local server, byte for byte, and returns its response. Never rejects. */
export function forward(target: URL, webhook: WebhookRequest, insecure: boolean): Promise<LocalAnswer> {
  return new Promise(resolve => {
    const { headers, body, timeout_ms: timeoutMs } = webhook;
    const bytes = Buffer.from(body);
    const isTls = target.protocol === 'https:';
    const request = (isTls ? tlsRequest : plainRequest)(target, {
      method: 'POST',
      headers: { ...headers, 'user-agent': 'coinslot-cli', 'content-length': String(bytes.length) },
      agent: false,
      ...(isTls && { rejectUnauthorized: !insecure }),
    });
    let response: IncomingMessage | undefined;
    let chunks: Buffer[] = [];
    let size = 0;
    const done = (answer: LocalAnswer): void => {
      clearTimeout(timer);
      request.destroy();
      resolve(answer);
    };
    const answered = (cut: boolean): void => {
      const text = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8');
      chunks = [];
      done({ type: 'answer', status: response!.statusCode ?? 0, headers: headersOf(response!), body: text, cut });
    };
    const late = (): void =>
      response
        ? answered(true)
        : done({ type: 'failed', failure: 'timeout', reason: 'the local server did not respond' });
    let timer = setTimeout(late, Math.max(500, timeoutMs - RESPONSE_MARGIN_MS));
    request.on('error', error => {
      if (response) {
        answered(true);
        return;
      }
      const reason = REASONS[codeOf(error)] ?? (codeOf(error) || 'unknown reason');
      done({ type: 'failed', failure: 'connect', reason: `local server: ${reason}` });
    });
    request.on('response', incoming => {
      response = incoming;
      const { statusCode = 0 } = incoming;
      if (statusCode >= 200 && statusCode < 300) {
        clearTimeout(timer);
        timer = setTimeout(late, SUCCESS_BODY_MS);
      }
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_BODY_BYTES) answered(true);
      });
      incoming.on('end', () => answered(false));
      incoming.on('error', () => answered(true));
    });
    request.end(bytes);
  });
}
