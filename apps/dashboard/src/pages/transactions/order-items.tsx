import type { Order } from '@coinslot/contract';
import { Package } from 'lucide-react';
import { exponentOf, formatMoney } from '../../kit/format.ts';
import { language, t } from '../../kit/texts.ts';
import { EnvLink } from '../../ui/env-link.tsx';

export const ItemPicture = ({ url, className = 'size-10' }: { url: string | null; className?: string }) =>
  url ? (
    <img src={url} alt="" loading="lazy" className={`${className} shrink-0 rounded-md bg-sunk object-cover`} />
  ) : (
    <span aria-hidden className={`${className} grid shrink-0 place-items-center rounded-md bg-sunk text-faint`}>
      <Package size={18} />
    </span>
  );

export const minorOf = (decimal: number, currency: string): number => Math.round(decimal * 10 ** exponentOf(currency));

/** What was bought, as it was bought. */
export function OrderItems({ order }: { order: Order }) {
  return (
    <div>
      <ul>
        {order.items.map(({ sku, name, image_url, quantity, price_decimal, currency }) => (
          <li key={sku} className="flex items-center gap-3 border-b border-line py-2.5 first:pt-0">
            <ItemPicture url={image_url} />
            <div className="min-w-0 flex-1">
              <EnvLink to="items/$sku" params={{ sku }}>
                {name ?? sku}
              </EnvLink>
              {quantity > 1 && <span className="text-soft"> × {quantity}</span>}
              {name && <p className="truncate font-mono text-12 text-faint">{sku}</p>}
            </div>
            {price_decimal !== null && currency !== null && (
              <span>{formatMoney(language, minorOf(price_decimal, currency) * quantity, currency)}</span>
            )}
          </li>
        ))}
      </ul>
      <p className="flex justify-between pt-3 font-semibold">
        <span>{t('order.total')}</span>
        <span>{formatMoney(language, order.amount, order.currency)}</span>
      </p>
    </div>
  );
}
