/** The message is for the person who starts the program: what is wrong, where, and what to do about it. */
export class EmbeddedError extends Error {}

const OTHER_WAYS = 'Set DATA_DIR to a folder this user may write, or DATABASE_URL to use your own PostgreSQL.';

export function folderProblem(dataDir: string, error: unknown): EmbeddedError {
  const reason = error instanceof Error ? error.message : String(error);
  return new EmbeddedError(`The data folder ${dataDir} cannot be used (${reason}). ${OTHER_WAYS}`, { cause: error });
}
