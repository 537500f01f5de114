import { SetupError } from '../../kit/setup-error.ts';
import { sqlStateOf } from './database-errors.ts';
import { urlsOf } from './hosts.ts';
import { ReadOnlySessionError } from './session.ts';

const EXAMPLE = 'postgresql://coinslot:password@db.example.com:5432/coinslot';
export const OLDEST_POSTGRESQL = 15;

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
]);

interface Place {
  /** Never with the password. */
  host: string;
  user: string;
  name: string;
}

function placeOf(url: string): Place {
  const hosts: string[] = [];
  let [user, name] = ['', ''];
  for (const one of urlsOf(url).urls) {
    const { hostname, port, username, pathname, searchParams } = new URL(one);
    hosts.push(searchParams.get('host') ?? `${hostname}:${port || 5432}`);
    user = decodeURIComponent(username);
    name = decodeURIComponent(pathname.slice(1)) || user;
  }
  return { host: hosts.join(', '), user, name };
}

/** By the code of the system, of TLS or of PostgreSQL. */
const BY_CODE: Record<string, (place: Place, message: string) => string> = {
  ECONNREFUSED: ({ host }) => `nothing listens at ${host}. Start PostgreSQL there, or correct host and port`,
  ENOENT: ({ host }) => `there is no socket of PostgreSQL in ${host}. Start it, or correct the folder`,
  ENOTFOUND: ({ host }) => `no host is known by the name in ${host}. Correct it, or this machine's name server`,
  EAI_AGAIN: ({ host }) =>
    `the name server does not answer for ${host}. Correct the host, or this machine's name server`,
  EHOSTUNREACH: ({ host }) => `no way leads from this machine to ${host}. Correct the host, or the network between`,
  ENETUNREACH: ({ host }) => `no way leads from this machine to ${host}. Correct the host, or the network between`,
  '28P01': ({ user, host }) => `PostgreSQL at ${host} refuses the password of the role "${user}". Correct it`,
  '28000': ({ host }, message) =>
    `PostgreSQL at ${host} lets this role not in: ${message}. Make the role (create role … login password …), or let it in by pg_hba.conf`,
  '3D000': ({ host, name, user }) =>
    `PostgreSQL at ${host} has no database "${name}". Make it: create database "${name}" owner "${user}"`,
  '25006': ({ host }) =>
    `PostgreSQL at ${host} takes no writes: it is a standby, or default_transaction_read_only is on. Name the host that does, or several and ?target_session_attrs=read-write`,
  '42501': ({ user, name }, message) =>
    `the role "${user}" may not do that in the database "${name}" (${message}). Make it the owner (alter database "${name}" owner to "${user}"), or migrate as the owner and start with MIGRATE=off`,
  '53300': ({ host }) =>
    `PostgreSQL at ${host} has no connection left. Raise max_connections, or lower DATABASE_CONNECTIONS`,
  '57P03': ({ host }) => `PostgreSQL at ${host} is starting or stopping. Start again when it takes connections`,
};

function reasonOf(error: Error, place: Place): string | null {
  const code = sqlStateOf(error) ?? '';
  const { message } = error;
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code]!(place, message);
  if (message.includes('does not support SSL'))
    return `PostgreSQL at ${place.host} offers no TLS, and the address asks for it (sslmode or ssl). Switch ssl on in postgresql.conf, or leave it out of the address on a network of your own`;
  if (message.includes('client password must be'))
    return `PostgreSQL at ${place.host} asks for the password of the role "${place.user}", and the address has none. Write it behind the name`;
  if (UNTRUSTED.has(code))
    return `the certificate of PostgreSQL at ${place.host} is not trusted: ${message}. Name its authority by sslrootcert=/path/ca.crt in the address`;
  if (message === 'Query read timeout')
    return `${place.host} takes the connection and answers nothing: a pooler has no session left (give it a larger default_pool_size, or lower DATABASE_CONNECTIONS), or the server stands still`;
  if (/timeout expired|ETIMEDOUT/.test(`${message} ${code}`))
    return `${place.host} does not answer. Correct the host, or open the way through the firewall`;
  return null;
}

/** One sentence for the operator in place of a connection's error; any other error as it is. */
export function explainConnection(error: unknown, setting: string, url: string): unknown {
  if (!(error instanceof Error)) return error;
  const reason = reasonOf(error, placeOf(url));
  if (reason === null) return error;
  return new SetupError(`${setting}: ${reason}. Example: ${setting}=${EXAMPLE}`, { cause: error });
}

export interface ServerFacts {
  version: string;
  number: number;
  encoding: string;
  isReadOnly: boolean;
}

export function refuseServer({ version, number, encoding, isReadOnly }: ServerFacts): void {
  if (number < OLDEST_POSTGRESQL * 10_000)
    throw new SetupError(
      `DATABASE_URL: the server is PostgreSQL ${version}, and Coinslot needs ${OLDEST_POSTGRESQL} or newer. Upgrade it (pg_upgrade), or name another one.`,
    );
  if (encoding !== 'UTF8')
    throw new SetupError(
      `DATABASE_URL: the database stores text as ${encoding}, and Coinslot needs UTF8: players have names in every script. Make another: create database … encoding 'UTF8' template template0`,
    );
  if (isReadOnly) throw new ReadOnlySessionError('this host takes no writes');
}
