import type { Order } from '@coinslot/contract';
import { formatMoney, minorOf } from '../../kit/money.ts';
import { language, t } from '../../texts/texts.ts';
import { EnvLink } from '../../ui/env-link.tsx';
import { ItemImage } from '../../ui/images.tsx';

/** Shows items with the names and prices they had when they were ordered. */
export function OrderItems({ order }: { order: Order }) {
  return (
    <div>
      <ul>
        {order.items.map(({ sku, name, image_url, quantity, price_decimal, currency }) => (
          <li key={sku} className="flex items-center gap-3 border-b border-line py-2.5 first:pt-0">
            <ItemImage url={image_url} />
            <div className="min-w-0 flex-1">
              <EnvLink to="items/$sku" params={{ sku }}>
                {name ?? sku}
              </EnvLink>
              {quantity > 1 && <span className="text-soft"> × {quantity}</span>}
              {name && (
                <p className="truncate font-mono text-12 text-faint" title={sku}>
                  {sku}
                </p>
              )}
            </div>
            {price_decimal !== null && currency !== null && (
              <span>{formatMoney(language, minorOf(price_decimal, currency) * quantity, currency)}</span>
            )}
          </li>
        ))}
      </ul>
      {order.discount_decimal !== null && (
        <p className="flex justify-between gap-3 pt-3 text-soft">
          <span>{t('order.discount')}</span>
          <span>{formatMoney(language, -minorOf(order.discount_decimal, order.currency), order.currency)}</span>
        </p>
      )}
      <p className="flex justify-between gap-3 pt-3 font-semibold">
        <span>{t('order.total')}</span>
        <span>{formatMoney(language, order.amount, order.currency)}</span>
      </p>
    </div>
  );
}
