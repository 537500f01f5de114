import type { TransactionDetail } from '@coinslot/contract';
import { formatMoney } from '../../kit/money.ts';
import { language, t } from '../../texts/texts.ts';
import { Fact, Facts } from '../../ui/page.tsx';

type Sums = NonNullable<TransactionDetail['money']>;

const PARTS = ['reserved', 'captured', 'returned', 'reversed'] as const;

/** Shows where the money went, by the ledger. Zero amounts are left out, except for the captured one. */
export function AmountBreakdown({ money, currency }: { money: Sums; currency: string }) {
  const parts = PARTS.filter(part => part === 'captured' || money[part] !== 0);
  return (
    <Facts>
      {parts.map(part => (
        <Fact key={part} name={t(`money.${part}`)}>
          {formatMoney(language, money[part], currency)}
        </Fact>
      ))}
      {money.fee !== null && (
        <Fact name={t('money.fee')}>{formatMoney(language, money.fee, money.fee_currency ?? currency)}</Fact>
      )}
    </Facts>
  );
}
