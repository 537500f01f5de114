import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode } from '@coinslot/contract';
import { AppError } from '../kit/app-error.ts';
import { PROBLEM_TYPE, problemOf, safeHeaders } from './problem.ts';

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const REASONS: Partial<Record<ErrorCode, string>> = {
  headers_too_large: 'Request Header Fields Too Large',
  body_too_large: 'Payload Too Large',
  request_timeout: 'Request Timeout',
};

/** Bytes that are not HTTP get an answer too, then the connection ends: what follows on it cannot be trusted. */
export function refuseMalformed(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
  publicUrl: string,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = CODES[error.code ?? ''] ?? 'invalid_request';
  const body = JSON.stringify(problemOf(new AppError(code), requestId, publicUrl));
  const lines = [
    `HTTP/1.1 ${ERRORS[code].status} ${REASONS[code] ?? 'Bad Request'}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(safeHeaders(publicUrl)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
