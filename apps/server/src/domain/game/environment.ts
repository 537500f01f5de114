import { AppError } from '../../kit/app-error.ts';
import type { Money } from '../../kit/money.ts';

export type Mode = 'live' | 'sandbox';

/** The tenant: one game in one mode. Everything else belongs to exactly one environment. */
export interface Environment {
  id: string;
  gameId: string;
  gameName: string;
  companyId: string;
  mode: Mode;
  /** What a sku without a price costs; null in live, where nothing is guessed. */
  defaultPrice: Money | null;
}

export const isSandbox = (environment: Pick<Environment, 'mode'>): boolean => environment.mode === 'sandbox';

export function assertSandbox(environment: Pick<Environment, 'mode'>, detail?: string): void {
  if (!isSandbox(environment)) throw new AppError('sandbox_only', detail === undefined ? {} : { detail });
}
