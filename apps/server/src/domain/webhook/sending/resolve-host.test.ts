import { createSocket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ResolveHost, systemResolver } from './resolve-host.ts';

const A = 1;
const NOT_FOUND = 3;
const SERVER_FAILED = 2;
const SILENCE = -1;

/** What our name server answers: addresses, or an error, by name and question. */
const ZONE: Readonly<Record<string, { a: number[][] | number; aaaa: number[][] | number }>> = {
  'both.test': { a: [[93, 184, 216, 34]], aaaa: [[0x26, 0x06, 0x28, ...Array<number>(12).fill(0), 1]] },
  'four.test': {
    a: [
      [93, 184, 216, 34],
      [10, 0, 0, 1],
    ],
    aaaa: SERVER_FAILED,
  },
  'silent.test': { a: SILENCE, aaaa: SILENCE },
};

const server = createSocket('udp4');
const asked: string[] = [];
let resolve: ResolveHost;

server.on('message', (question, sender) => {
  const { name, type, end } = readQuestion(question);
  asked.push(name);
  const found = ZONE[name]?.[type === A ? 'a' : 'aaaa'] ?? NOT_FOUND;
  if (found === SILENCE) return;
  const addresses = typeof found === 'number' ? [] : found;
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (typeof found === 'number' ? found : 0), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 10);
  const records = addresses.map(address =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address]),
  );
  server.send(Buffer.concat([header, question.subarray(12, end), ...records]), sender.port, sender.address);
});

function readQuestion(question: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 };
}

const resolverFor = (timeoutMs: number) =>
  systemResolver({ servers: [`127.0.0.1:${server.address().port}`], timeoutMs });

beforeAll(async () => {
  await new Promise<void>(ready => server.bind(0, '127.0.0.1', ready));
  // On a busy machine an answer may take longer than a moment.
  resolve = resolverFor(10_000);
});

afterAll(() => server.close());

describe('a host name', () => {
  it('is resolved to all its addresses, of both kinds', async () => {
    expect(await resolve('both.test')).toEqual(['93.184.216.34', '2606:2800::1']);
  });

  it('is resolved although its name server fails for one kind', async () => {
    expect((await resolve('four.test')).toSorted()).toEqual(['10.0.0.1', '93.184.216.34']);
  });

  it('is asked for once when many want it at the same time, and again afterwards', async () => {
    asked.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => resolve('both.test')));
    expect(asked).toHaveLength(2);
    await resolve('both.test');
    expect(asked).toHaveLength(4);
  });

  it('that DNS does not know is asked from the system', async () => {
    expect(await resolve('localhost')).toContain('127.0.0.1');
  });

  it('without an answer fails, and does not wait for the system', async () => {
    await expect(resolverFor(100)('silent.test')).rejects.toThrow('DNS did not answer for silent.test');
  });
});
