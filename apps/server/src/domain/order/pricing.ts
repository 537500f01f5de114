import type { CreateOrder, Issue, Sale } from '@coinslot/contract';
import { CURRENCIES, decimalText, MAX_AMOUNT_MAJOR, type Money, percentOff, toMinor } from '../../kit/money.ts';
import type { OrderItem } from './order.ts';

export const issue = (pointer: string, code: Issue['code'], message: string): Issue => ({ pointer, code, message });

/** The currency that the request gives; none is guessed, in sandbox as in live. */
export const currencyOf = (body: CreateOrder): string | null =>
  body.currency ?? body.items.find(item => item.currency)?.currency ?? null;

/** Whether the prices of a request can be read exactly in their currencies. Catches what a schema cannot say. */
function priceIssues(body: CreateOrder): Issue[] {
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

/** What the catalog knows of a sku that the order leaves open. */
export interface CatalogPrice {
  name: string | null;
  description: string | null;
  imageUrl: string | null;
  priceMinor: number | null;
  currency: string | null;
  sale: Sale | null;
}

export interface PricingFacts {
  catalog: ReadonlyMap<string, CatalogPrice>;
  /** What a sku without a price costs in sandbox; null in live, where nothing is guessed. */
  fallback: Money | null;
  nowSeconds: number;
}

export type Pricing =
  | { kind: 'priced'; total: Money; items: OrderItem[] }
  | { kind: 'invalid'; issues: Issue[] }
  | { kind: 'price_unknown'; skus: string[] };

type RequestItem = CreateOrder['items'][number];

interface UnitPrice {
  priceMinor: number;
  fullPriceMinor: number | null;
  currency: string;
}

export const isSaleActive = (sale: Sale, nowSeconds: number): boolean =>
  (sale.starts_at === undefined || sale.starts_at <= nowSeconds) &&
  (sale.ends_at === undefined || nowSeconds < sale.ends_at);

function saleMinor(fullMinor: number, sale: Sale, currency: string): number {
  if (sale.discount_percent !== undefined) return percentOff(fullMinor, Math.round(sale.discount_percent * 100));
  const minor = toMinor(sale.price_decimal!, currency);
  return typeof minor === 'number' ? minor : fullMinor;
}

function unitPrice(fullMinor: number, currency: string, sale: Sale | null, nowSeconds: number): UnitPrice {
  const active = sale && isSaleActive(sale, nowSeconds);
  const priceMinor = active ? saleMinor(fullMinor, sale, currency) : fullMinor;
  return { priceMinor, fullPriceMinor: priceMinor < fullMinor ? fullMinor : null, currency };
}

/**
 * The sandbox default follows the currency of the rest, so that skus alone always make an order there: the request's, else
 * that of the first item the catalog knows.
 */
function fallbackCurrencyOf(body: CreateOrder, shared: string | null, { catalog }: PricingFacts): string | null {
  const isSettled = body.currency ?? body.items.find(item => item.currency || item.price_decimal !== undefined);
  if (isSettled) return shared;
  return body.items.map(item => catalog.get(item.sku)?.currency).find(currency => currency != null) ?? shared;
}

type ItemFacts = PricingFacts & { fallbackCurrency: string | null };

function priceOf(item: RequestItem, shared: string | null, facts: ItemFacts): UnitPrice | null {
  const known = facts.catalog.get(item.sku);
  if (item.price_decimal !== undefined) {
    const currency = item.currency ?? shared!;
    return unitPrice(toMinor(item.price_decimal, currency) as number, currency, item.sale ?? null, facts.nowSeconds);
  }
  if (known?.priceMinor != null) {
    return unitPrice(known.priceMinor, known.currency!, item.sale ?? known.sale, facts.nowSeconds);
  }
  if (!facts.fallback) return null;
  const currency = facts.fallbackCurrency ?? facts.fallback.currency;
  const fallbackMinor = toMinor(decimalText(facts.fallback.amountMinor, facts.fallback.currency), currency);
  return unitPrice(
    typeof fallbackMinor === 'number' ? fallbackMinor : 1,
    currency,
    item.sale ?? null,
    facts.nowSeconds,
  );
}

function toOrderItem(item: RequestItem, price: UnitPrice | null, known: CatalogPrice | undefined): OrderItem {
  return {
    sku: item.sku,
    name: item.name ?? known?.name ?? null,
    description: item.description ?? known?.description ?? null,
    imageUrl: item.image_url ?? known?.imageUrl ?? null,
    quantity: item.quantity ?? 1,
    priceMinor: price?.priceMinor ?? null,
    fullPriceMinor: price?.fullPriceMinor ?? null,
    currency: price?.currency ?? null,
  };
}

/** True when the request alone does not settle every price. */
export const needsCatalog = (body: CreateOrder): boolean =>
  body.items.some(
    item => (body.price_decimal === undefined && item.price_decimal === undefined) || item.name === undefined,
  );

/** A sale of the request that would raise the price, of the request or of the catalog. */
function raisedPrices(body: CreateOrder, shared: string | null, { catalog }: PricingFacts): Issue[] {
  return body.items.flatMap(({ sku, price_decimal: own, currency = shared, sale }, i) => {
    const known = catalog.get(sku);
    const fullMinor = own === undefined ? known?.priceMinor : toMinor(own, currency!);
    const saleCurrency = own === undefined ? known?.currency : currency;
    const minor = sale?.price_decimal === undefined || !saleCurrency ? null : toMinor(sale.price_decimal, saleCurrency);
    const isRaised = typeof minor === 'number' && typeof fullMinor === 'number' && minor > fullMinor;
    const text = 'The sale costs more than the full price.';
    return isRaised ? [issue(`/items/${i}/sale/price_decimal`, 'too_big', text)] : [];
  });
}

function sumItems(priced: { item: RequestItem; price: UnitPrice | null }[], wanted: string | null): Pricing {
  const unknown = priced.filter(({ price }) => price === null).map(({ item }) => item.sku);
  if (unknown.length > 0) return { kind: 'price_unknown', skus: unknown };
  const currency = wanted ?? priced[0]!.price!.currency;
  const issues: Issue[] = [];
  let total = 0;
  for (const [i, { item, price }] of priced.entries()) {
    if (price!.currency !== currency) {
      const text = `All prices of an order have one currency; ${item.sku} costs ${price!.currency}, elsewhere it is ${currency}.`;
      issues.push(issue(`/items/${i}`, 'currency_mixed', text));
    }
    total += price!.priceMinor * (item.quantity ?? 1);
  }
  if (total > MAX_AMOUNT_MAJOR * 10 ** CURRENCIES.get(currency)!) {
    issues.push(issue('/items', 'total_too_big', `The items come to more than ${MAX_AMOUNT_MAJOR} ${currency}.`));
  }
  if (issues.length > 0) return { kind: 'invalid', issues };
  return { kind: 'priced', total: { amountMinor: total, currency }, items: [] };
}

/** The order's own price, else the sum of the item prices of the request, else of the catalog, else the sandbox default. */
export function priceOrder(body: CreateOrder, facts: PricingFacts): Pricing {
  const issues = priceIssues(body);
  if (issues.length > 0) return { kind: 'invalid', issues };
  const shared = currencyOf(body);
  const raised = raisedPrices(body, shared, facts);
  if (raised.length > 0) return { kind: 'invalid', issues: raised };
  const hasOwnPrice = body.price_decimal !== undefined;
  const fallbackCurrency = fallbackCurrencyOf(body, shared, facts);
  const { catalog, nowSeconds } = facts;
  const itemFacts = { catalog, nowSeconds, fallback: hasOwnPrice ? null : facts.fallback, fallbackCurrency };
  const priced = body.items.map(item => {
    const price = priceOf(item, shared, itemFacts);
    return { item, price: hasOwnPrice && price?.currency !== shared ? null : price };
  });
  const items = priced.map(({ item, price }) => toOrderItem(item, price, catalog.get(item.sku)));
  if (hasOwnPrice) {
    return {
      kind: 'priced',
      total: { amountMinor: toMinor(body.price_decimal!, shared!) as number, currency: shared! },
      items,
    };
  }
  const sum = sumItems(priced, body.currency ?? null);
  return sum.kind === 'priced' ? { ...sum, items } : sum;
}

export interface Priced {
  items: readonly Pick<OrderItem, 'priceMinor' | 'quantity' | 'currency'>[];
  amountMinor: number;
  currency: string;
}

/**
 * What the order's own price takes off the sum of its items; null when it takes off nothing, or when a price is missing and
 * there is no sum.
 */
export function discountMinor({ items, amountMinor, currency }: Priced): number | null {
  let sum = 0;
  for (const { priceMinor, quantity, currency: own } of items) {
    if (priceMinor === null || own !== currency) return null;
    sum += priceMinor * quantity;
  }
  return Number.isSafeInteger(sum) && sum > amountMinor ? sum - amountMinor : null;
}
