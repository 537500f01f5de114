import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const TYPE_A = 1;
/** A pointer to the name of the question. */
const SAME_NAME = 0xc00c;

function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  let end = HEADER_BYTES;
  while (question[end] !== 0) end += question[end]! + 1;
  const isA = question.readUInt16BE(end + 1) === TYPE_A;
  const found = isA ? addresses : [];
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  // A response, by a server that would recurse.
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  const records = found.map(address => {
    const record = Buffer.alloc(16);
    record.writeUInt16BE(SAME_NAME, 0);
    record.writeUInt16BE(TYPE_A, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(1, 6);
    record.writeUInt16BE(4, 10);
    for (const [i, byte] of address.split('.').entries()) record[12 + i] = Number(byte);
    return record;
  });
  return Buffer.concat([header, question.subarray(HEADER_BYTES, end + 5), ...records]);
}

/** Answers every question with the same addresses, another one first each time, as the name of a service does in a container's network. */
export async function startNameServer(addresses: readonly string[]): Promise<{ address: string; stop(): void }> {
  const socket = createSocket('udp4');
  let turn = 0;
  socket.on('message', (question, from) => {
    const first = turn++ % addresses.length;
    const turned = [...addresses.slice(first), ...addresses.slice(0, first)];
    socket.send(answerTo(question, turned), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `udp/127.0.0.1:${socket.address().port}`, stop: () => void socket.close() };
}
