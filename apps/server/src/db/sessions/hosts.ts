/** Where the database may be found: one address, or several of which one takes writes. */
export interface Hosts {
  readonly count: number;
  /** Only a session that takes writes will do. */
  readonly mustBeWritable: boolean;
  /** The address to connect to now. */
  current(): string;
  /** That one did not answer, or takes no writes: the next connection tries the one after it. */
  skip(url: string): void;
}

const URL_PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^@/]*@)?(?<hosts>[^/?]*)(?<path>\/[^?]*)?(?<query>\?.*)?$/;

/**
 * For each of these modes the driver checks the certificate and its name today, and warns at every start that its next version
 * may not. `verify-full` says what it does.
 */
const CHECKED_WHOLE = new Set(['prefer', 'require', 'verify-ca']);

/** postgresql://user@host1:5432,host2:5432/name?target_session_attrs=read-write as one URL for each host. */
export function urlsOf(url: string): { urls: string[]; mustBeWritable: boolean } {
  const parts = URL_PARTS.exec(url)?.groups;
  if (!parts) return { urls: [url], mustBeWritable: false };
  const { scheme = '', user = '', hosts = '', path = '', query = '' } = parts;
  const settings = new URLSearchParams(query);
  const mustBeWritable = settings.get('target_session_attrs') === 'read-write';
  settings.delete('target_session_attrs');
  if (CHECKED_WHOLE.has(settings.get('sslmode') ?? '') && settings.get('uselibpqcompat') !== 'true') {
    settings.set('sslmode', 'verify-full');
  }
  const rest = settings.size > 0 ? `${path}?${settings}` : path;
  return { urls: hosts.split(',').map(host => `${scheme}${user}${host}${rest}`), mustBeWritable };
}

export function createHosts(url: string): Hosts {
  const { urls, mustBeWritable } = urlsOf(url);
  let at = 0;
  return {
    count: urls.length,
    mustBeWritable,
    current: () => urls[at]!,
    skip(failed) {
      // Several connections may fail at one host; it is left only once.
      if (urls[at] === failed) at = (at + 1) % urls.length;
    },
  };
}
