/** The same words that the driver uses, because it gives these errors no code. */
const DRIVER_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Client was closed/;

const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
]);

// PostgreSQL: connection exceptions, no resources (disk, memory, connections), shutting down or starting up, read-only,
// a statement past its limit, or we stood still inside a transaction for too long.
const UNAVAILABLE_STATES = /^(?:08...|53...|57P0[1-5]|57014|25006|25P03)$/;

const LOCK_NOT_AVAILABLE = '55P03';

export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The database cannot do it now, whatever it is: the caller may come again. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = sqlStateOf(error) ?? '';
  const isConnection = CONNECTION_ERRORS.has(code) && 'syscall' in error;
  return isConnection || UNAVAILABLE_STATES.test(code) || DRIVER_MESSAGES.test(error.message);
}

// The database is there, and has not enough of something or of time for this statement.
const OVERLOADED = /^(?:53...|57014)$/;

/** The session was lost under it, so whether it was done is not known; another may be had in a moment. */
export const isSessionLost = (error: unknown): boolean =>
  isDatabaseUnavailable(error) && !OVERLOADED.test(sqlStateOf(error) ?? '');

/** Another session holds a row that this one needs, for longer than it may wait. */
export const isRowLocked = (error: unknown): boolean => sqlStateOf(error) === LOCK_NOT_AVAILABLE;

const READ_ONLY = '25006';

/** No connection was free for as long as a caller waits. */
export const isBusyPool = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('timeout exceeded when trying to connect');

/** The session is of no more use: it gave no answer at all. */
export const isSilent = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';

/** The session takes no writes. */
export const isReadOnly = (error: unknown): boolean => sqlStateOf(error) === READ_ONLY;
