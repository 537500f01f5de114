import { AppError } from '../../kit/app-error.ts';
import { isDatabaseAway } from '../away.ts';

/**
 * A batch may have failed for one of its members, and then the others succeed alone. Where the database is away or has
 * no connection to give, trying each again would only make every caller wait twice.
 */
export const isWorthRetrying = (error: unknown): boolean =>
  !isDatabaseAway(error) && !(error instanceof AppError && error.code === 'unavailable');
