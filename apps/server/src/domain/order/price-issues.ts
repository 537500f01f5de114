import type { CreateOrder, Issue, Sale } from '@coinslot/contract';
import { CURRENCIES, toMinor } from '../../kit/money.ts';

export const issue = (pointer: string, code: Issue['code'], message: string): Issue => ({ pointer, code, message });

/** The currency that the request gives; none is guessed, in sandbox as in live. */
export const currencyOf = (body: CreateOrder): string | null =>
  body.currency ?? body.items.find(item => item.currency)?.currency ?? null;

/** Whether the prices of a request can be read exactly in their currencies. Catches what a schema cannot say. */
export function priceIssues(body: CreateOrder): Issue[] {
  const issues: Issue[] = [];
  const check = (amount: number | undefined, currency: string | null, pointer: string): void => {
    if (amount === undefined) return;
    if (currency === null) {
      issues.push(
        issue(pointer, 'currency_required', 'A price needs a currency: give it beside the price or for the order.'),
      );
      return;
    }
    const minor = toMinor(amount, currency);
    if (minor === 'too_many_decimals') {
      const decimals = CURRENCIES.get(currency);
      issues.push(issue(pointer, 'too_many_decimals', `${currency} has ${decimals} decimals; the amount has more.`));
    }
  };
  const saleIssues = (sale: Sale, currency: string | null, pointer: string): void => {
    check(sale.price_decimal, currency, `${pointer}/price_decimal`);
    if (sale.starts_at !== undefined && sale.ends_at !== undefined && sale.ends_at <= sale.starts_at) {
      issues.push(issue(`${pointer}/ends_at`, 'time_order', 'The sale must end after it starts.'));
    }
  };
  const shared = currencyOf(body);
  check(body.price_decimal, shared, '/price_decimal');
  for (const [i, item] of body.items.entries()) {
    const currency = item.currency ?? shared;
    check(item.price_decimal, currency, `/items/${i}/price_decimal`);
    if (item.sale) saleIssues(item.sale, currency, `/items/${i}/sale`);
    if (item.currency && shared && item.currency !== shared) {
      const text = `All prices of an order have one currency; this is ${item.currency}, elsewhere it is ${shared}.`;
      issues.push(issue(`/items/${i}/currency`, 'currency_mixed', text));
    }
  }
  return issues;
}
