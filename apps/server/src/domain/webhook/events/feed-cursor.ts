import { invalidField } from '../../../kit/app-error.ts';
import type { Seal } from '../../../kit/seal.ts';

const PROOF_BYTES = 16;
const NUMBER_BYTES = 8;

const proofText = (environmentId: string, number: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${environmentId} `), number]);

const masked = (number: Buffer, mask: Buffer): Buffer => Buffer.from(number.map((byte, at) => byte ^ mask[at]!));

/**
 * The place behind a number, for one environment only. All tenants share the numbers, so a cursor shows none of them (row 275): it is a
 * proof of the number, and the number under a mask that follows from the proof. The same place always has the same cursor, and earlier
 * master keys read it too.
 */
export function feedCursor(seal: Seal, environmentId: string, seq: number): string {
  const number = Buffer.alloc(NUMBER_BYTES);
  number.writeBigUInt64BE(BigInt(seq));
  const proof = seal.mac(proofText(environmentId, number), 'feed proof').subarray(0, PROOF_BYTES);
  return Buffer.concat([proof, masked(number, seal.mac(proof, 'feed mask'))]).toString('base64url');
}

function readProven(seal: Seal, environmentId: string, bytes: Buffer): number | null {
  if (bytes.length !== PROOF_BYTES + NUMBER_BYTES) return null;
  const proof = bytes.subarray(0, PROOF_BYTES);
  const number = seal
    .macs(proof, 'feed mask')
    .map(mask => masked(bytes.subarray(PROOF_BYTES), mask))
    .find(one => seal.isMac(proofText(environmentId, one), 'feed proof', proof));
  return number ? Number(number.readBigUInt64BE()) : null;
}

export function seqOfCursor(seal: Seal, environmentId: string, cursor: string): number {
  const bytes = Buffer.from(cursor, 'base64url');
  const seq = readProven(seal, environmentId, bytes);
  if (seq !== null && bytes.toString('base64url') === cursor) return seq;
  throw invalidField('/after', 'cursor', 'Use `start`, `now`, or a cursor of this feed, unchanged.');
}
