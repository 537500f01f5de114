import { type Issue, PROVIDER_PROBLEMS } from '@coinslot/contract';
import { advice } from '@coinslot/texts/advice';
import { reasons } from '@coinslot/texts/reasons';
import { AppError } from '../../../../kit/app-error.ts';

/** Why the provider cannot serve the studio at all: nothing that a player could do otherwise. */
export type AccountProblem =
  | 'provider_key_invalid'
  | 'provider_key_revoked'
  | 'provider_key_wrong_mode'
  | 'provider_permission_missing'
  | 'provider_account_not_active';

/** The provider answered, and the answer is no. */
export interface RefusedAccount {
  problem: AccountProblem;
  /** Its own sentence, fit for a screen. */
  said?: string | null;
}

/** In English, for the API and the command line; the dashboard shows the same in a member's language. */
export const accountProblemText = (problem: AccountProblem): string => advice.languages.en[problem];

/** For the member who waits for the answer. */
export function accountError({ problem, said }: RefusedAccount): AppError {
  const code = problem === 'provider_account_not_active' ? 'provider_refused_setup' : problem;
  const words = said ? ` ${advice.text('en', 'provider_said', { said })}` : '';
  return new AppError(code, { detail: `${accountProblemText(problem)}${words}` });
}

/** Why this one payment cannot be taken, whatever the player does. */
export type PaymentProblem =
  | 'currency_unsupported'
  | 'amount_below_minimum'
  | 'amount_above_maximum'
  | 'amount_not_exact'
  | 'method_unavailable'
  | 'saved_method_gone'
  | 'provider_not_connected'
  | 'provider_busy'
  | 'provider_refused'
  | 'given_up';

/** The response codes of a payment that the shop, not a bank, declined: a closed list, whichever provider it was. */
export type ShopProblem = AccountProblem | PaymentProblem;

const isAccountProblem = (problem: ShopProblem): problem is AccountProblem =>
  Object.hasOwn(advice.languages.en, problem);

/** Why a payment was not begun for want of the connection alone: another may take it. */
export const isConnectionDown = (code: string | null): boolean =>
  code === 'provider_busy' || code === 'provider_not_connected' || PROVIDER_PROBLEMS.some(problem => problem === code);

/** In English, for the API, the payment's record and the command line. */
export const shopProblemText = (problem: ShopProblem): string =>
  isAccountProblem(problem) ? accountProblemText(problem) : reasons.languages.en[`problem.${problem}`];

export const isShopProblem = (code: string): boolean =>
  Object.hasOwn(reasons.languages.en, `problem.${code}`) || Object.hasOwn(advice.languages.en, code);

type KeyField = 'secret_key' | 'publishable_key' | 'callback_secret';

/** What is wrong with the form of keys, by field; the values themselves never enter a message. */
export const keyIssues = (
  wordsFor: (why: string) => string | undefined,
  wrong: Readonly<Record<KeyField, KeyField | `${KeyField}_${'publishable' | 'secret'}` | false>>,
): Issue[] =>
  Object.entries(wrong).flatMap(([field, why]) =>
    why ? [{ pointer: `/${field}`, code: 'pattern', message: wordsFor(why) ?? why }] : [],
  );
