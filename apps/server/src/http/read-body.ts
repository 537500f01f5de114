import type { IncomingMessage } from 'node:http';
import { AppError } from '../kit/app-error.ts';

/** A body over its limit is still read up to this size, so that the caller can finish sending and see the answer. */
const DRAIN_BYTES = 4 * 1024 * 1024;

type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Reads a body of at most `limitBytes`. The framework's own reader answers 413 and closes while the caller is still sending,
 * so the caller sees a broken connection instead of the answer.
 */
export function readBody(message: IncomingMessage, limitBytes: number, done: Done): void {
  const chunks: Buffer[] = [];
  let received = 0;
  let isDone = false;

  // The listeners stay on: the message is garbage soon, and this check costs less than removing them.
  function finish(error: Error | null, body?: Buffer): void {
    if (isDone) return;
    isDone = true;
    done(error, body);
  }

  message.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received <= limitBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      if (received > DRAIN_BYTES) finish(new AppError('body_too_large'));
    }
  });
  message.on('end', () => {
    if (received > limitBytes) finish(new AppError('body_too_large'));
    else finish(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, received));
  });
  message.on('error', cause => finish(new AppError('invalid_request', { detail: 'The body ended too early.', cause })));
}
