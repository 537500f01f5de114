import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** Certificates made on the spot, so that tests need neither openssl nor keys in the repository. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Authority {
  /** PEM, to be trusted. */
  readonly ca: string;
  /** A certificate for these names and IPv4 addresses. */
  issue(names: readonly string[], validity?: Validity, kind?: 'ec' | 'rsa'): Certificate;
}

export type Validity = readonly [fromYear: number, untilYear: number];

const VALID: Validity = [2020, 2049];
export const EXPIRED: Validity = [2000, 2001];

export function createAuthority(name = 'Coinslot test authority'): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const basicConstraints = extension('551d13', tlv(0x30, Buffer.from('0101ff', 'hex')), true);
  const ca = certificate(
    { issuer: name, subject: name, validity: VALID, publicKey: keys.publicKey, signer: keys.privateKey },
    [basicConstraints],
  );
  return {
    ca,
    issue(names, validity = VALID, kind = 'ec') {
      const leaf =
        kind === 'rsa'
          ? generateKeyPairSync('rsa', { modulusLength: 2048 })
          : generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const subject = names[0] ?? 'unnamed';
      const facts = { issuer: name, subject, validity, publicKey: leaf.publicKey, signer: keys.privateKey };
      const cert = certificate(facts, [extension('551d11', tlv(0x30, ...names.map(alternativeName)))]);
      return { cert, key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

/** Signed by itself alone. */
export function selfSigned(names: readonly string[]): Certificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = names[0] ?? 'unnamed';
  const facts = { issuer: subject, subject, validity: VALID, publicKey: keys.publicKey, signer: keys.privateKey };
  const cert = certificate(facts, [extension('551d11', tlv(0x30, ...names.map(alternativeName)))]);
  return { cert, key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

interface CertificateFacts {
  readonly issuer: string;
  readonly subject: string;
  readonly validity: Validity;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
}

const ECDSA_WITH_SHA256 = tlv(0x30, oid('2a8648ce3d040302'));
let lastSerial = 0;

// X.509 version 3 in DER (RFC 5280, section 4.1), just enough of it for a TLS server.
function certificate(facts: CertificateFacts, extensions: readonly Buffer[]): string {
  lastSerial += 1;
  const serial = Buffer.alloc(4);
  serial.writeUInt32BE(lastSerial);
  const [from, until] = facts.validity;
  const body = tlv(
    0x30,
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1]), serial),
    ECDSA_WITH_SHA256,
    distinguishedName(facts.issuer),
    tlv(0x30, yearStart(from), yearStart(until)),
    distinguishedName(facts.subject),
    facts.publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, tlv(0x30, ...extensions)),
  );
  const signature = sign('sha256', body, facts.signer);
  const der = tlv(0x30, body, ECDSA_WITH_SHA256, tlv(0x03, Buffer.from([0]), signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(commonName: string): Buffer {
  return tlv(0x30, tlv(0x31, tlv(0x30, oid('550403'), tlv(0x0c, Buffer.from(commonName)))));
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 4 ? tlv(0x87, Buffer.from(name.split('.').map(Number))) : tlv(0x82, Buffer.from(name));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  const flag = critical ? [Buffer.from('0101ff', 'hex')] : [];
  return tlv(0x30, oid(id), ...flag, tlv(0x04, value));
}

function yearStart(year: number): Buffer {
  return tlv(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`));
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  if (value.length < 0x80) return Buffer.concat([Buffer.from([tag, value.length]), value]);
  if (value.length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, value.length]), value]);
  return Buffer.concat([Buffer.from([tag, 0x82, value.length >> 8, value.length & 0xff]), value]);
}
