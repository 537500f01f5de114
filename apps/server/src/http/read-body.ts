import type { IncomingMessage } from 'node:http';
import { AppError } from '../kit/app-error.ts';

/** How much of a body that is too large is still read, so that the caller can finish sending and see the answer. */
const DRAIN_BYTES = 4 * 1024 * 1024;

type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Reads a body of at most `limitBytes`. Our own and not the framework's reader: that one answers 413 and closes while the
 * caller is still sending, and the caller then sees a broken connection in place of the answer.
 */
export function readBody(message: IncomingMessage, limitBytes: number, done: Done): void {
  const chunks: Buffer[] = [];
  let received = 0;

  function stop(error: Error | null, body?: Buffer): void {
    message.off('data', onData);
    message.off('end', onEnd);
    message.off('error', stop);
    message.off('close', onClose);
    done(error, body);
  }

  function onData(chunk: Buffer): void {
    received += chunk.length;
    if (received <= limitBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      if (received > DRAIN_BYTES) stop(new AppError('body_too_large'));
    }
  }

  function onEnd(): void {
    if (received > limitBytes) stop(new AppError('body_too_large'));
    else stop(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, received));
  }

  const onClose = (): void => stop(new AppError('invalid_request', { detail: 'The body ended too early.' }));

  message.on('data', onData);
  message.on('end', onEnd);
  message.on('error', stop);
  message.on('close', onClose);
}
