import type { AuthorizeRequest, RequestedItem } from '../base/gateway.ts';
import { toPaypalMoney } from './wire/paypal-amount.ts';
import type { PaypalMoney } from './wire/paypal-objects.ts';

const LONGEST = 127;

interface PaypalItem {
  name: string;
  quantity: string;
  unit_amount: PaypalMoney;
  category: 'DIGITAL_GOODS';
  sku?: string;
}

interface Itemized {
  amount: PaypalMoney & { breakdown?: { item_total: PaypalMoney; discount?: PaypalMoney } };
  items?: PaypalItem[];
}

const nameOf = ({ name, sku }: RequestedItem): string => (name?.trim() || sku).slice(0, LONGEST);

/** Null: PayPal cannot show this price exactly, or only the whole order has one. */
function lineOf(item: RequestedItem, currency: string): PaypalItem | null {
  const unit = item.priceMinor === null ? null : toPaypalMoney(item.priceMinor, currency);
  if (!unit) return null;
  const { sku, quantity } = item;
  return {
    name: nameOf(item),
    quantity: String(quantity),
    unit_amount: unit,
    category: 'DIGITAL_GOODS',
    ...(sku.length <= LONGEST && { sku }),
  };
}

/** Everything on one line, where single prices do not add up to what is paid. */
const inOneLine = (items: readonly RequestedItem[], amount: PaypalMoney): Itemized => ({
  amount: { ...amount, breakdown: { item_total: amount } },
  items: [
    {
      name: items.map(nameOf).join(', ').slice(0, LONGEST),
      quantity: '1',
      unit_amount: amount,
      category: 'DIGITAL_GOODS',
    },
  ],
});

/** What the player reads at PayPal. PayPal refuses an order whose lines do not add up, so the sum is made here. */
export function itemized(
  { items = [], amountMinor, currency }: Pick<AuthorizeRequest, 'items' | 'amountMinor' | 'currency'>,
  amount: PaypalMoney,
): Itemized {
  if (items.length === 0) return { amount };
  const lines = items.map(item => lineOf(item, currency));
  const sumMinor = items.reduce((sum, { priceMinor, quantity }) => sum + (priceMinor ?? 0) * quantity, 0);
  const total = toPaypalMoney(sumMinor, currency);
  const discount = toPaypalMoney(Math.max(0, sumMinor - amountMinor), currency);
  const isExact = lines.every(line => line !== null) && sumMinor >= amountMinor;
  if (!isExact || !total || !discount) return inOneLine(items, amount);
  const breakdown = { item_total: total, ...(sumMinor > amountMinor && { discount }) };
  return { amount: { ...amount, breakdown }, items: lines.flatMap(line => line ?? []) };
}
