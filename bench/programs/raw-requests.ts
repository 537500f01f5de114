import { connect, type Socket } from 'node:net';

export interface Response {
  status: number;
  headers: string;
  body: string;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;

export function httpRequest(
  method: string,
  path: string,
  host: string,
  headers: Record<string, string>,
  body: string,
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}content-length: ${length}\r\n\r\n${body}`,
  );
}

/**
 * One kept-alive connection, one request at a time. Nothing but what an answer needs is read, so that the generator of the
 * load takes as little as possible of the machine from the server that is measured.
 */
export class RawConnection {
  readonly #socket: Socket;
  #buffered = '';
  #waiting: { resolve: (response: Response) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    // Latin-1 keeps one character for one byte, which content-length counts.
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#read(chunk));
    socket.on('error', error => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  send(request: Buffer): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    const text = this.#buffered === '' ? chunk : this.#buffered + chunk;
    const headEnd = text.indexOf(HEAD_END);
    const headers = text.slice(0, headEnd);
    const length = headEnd === -1 ? null : Number(LENGTH.exec(headers)?.[1] ?? 0);
    const end = headEnd + HEAD_END.length + (length ?? 0);
    if (length === null || text.length < end) {
      this.#buffered = text;
      return;
    }
    this.#buffered = '';
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ status: Number(text.slice(9, 12)), headers, body: text.slice(headEnd + HEAD_END.length, end) });
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}
