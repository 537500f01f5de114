import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { chunksOf, type Probe, type Reply } from '@coinslot/exam';

/** The service does not wait longer either. */
const LIMIT_MS = 10_000;
const CUT_AFTER_MS = 150;

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Sends one request to the receiver under test. Never rejects. */
export function sendProbe(url: URL, { body, headers, dripMs = 0, cut = false }: Probe): Promise<Reply> {
  return new Promise(resolve => {
    const startedMs = Date.now();
    const bytes = Buffer.from(body);
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
    const request = send(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', ...headers, 'content-length': String(bytes.length) },
    });
    const done = (reply: Reply): void => {
      clearTimeout(timer);
      request.destroy();
      resolve(reply);
    };
    const none = (reason: string): void => done({ kind: 'none', reason, tookMs: Date.now() - startedMs });
    const timer = setTimeout(() => none(`no answer within ${LIMIT_MS / 1000} s`), LIMIT_MS);
    request.on('error', error => none('code' in error ? String(error.code) : error.message));
    request.on('response', response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (text.length < 65_536) text += chunk;
      });
      response.on('end', () =>
        done({ kind: 'answer', status: response.statusCode ?? 0, body: text, tookMs: Date.now() - startedMs }),
      );
      response.on('error', () => none('the answer broke off'));
    });
    const write = async (): Promise<void> => {
      if (dripMs === 0) request.end(bytes);
      else {
        for await (const chunk of chunksOf(bytes, dripMs)) request.write(chunk);
        request.end();
      }
      if (!cut) return;
      await pause(CUT_AFTER_MS);
      none('cut by the exam');
    };
    void write();
  });
}
