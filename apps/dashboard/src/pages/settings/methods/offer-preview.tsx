import { Eye } from 'lucide-react';
import { useState } from 'react';
import { formatCountry } from '../../../kit/format.ts';
import { formatMoney, minorOf, numberOf } from '../../../kit/money.ts';
import { useEnv } from '../../../kit/use-env.ts';
import { useRead } from '../../../kit/use-read.ts';
import { language, t } from '../../../texts/texts.ts';
import { TextField } from '../../../ui/field.tsx';
import { Loading, ReadProblem } from '../../../ui/loading.tsx';
import { Card } from '../../../ui/page.tsx';
import { nameOf } from './find-methods.ts';
import { MethodBadge } from './method-badge.tsx';

interface OfferPreviewProps {
  /** Empty if unknown, as for a player whose game sends no country. */
  country: string;
  currency: string;
}

/** Asks the server which methods its checkout would offer for a country, a currency and an amount. */
export function OfferPreview({ country, currency }: OfferPreviewProps) {
  const { game_id } = useEnv();
  const [amount, setAmount] = useState('4.99');
  const price = numberOf(amount);
  const read = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/offer',
    {
      params: { game_id, mode: 'live' },
      query: { currency, amount: minorOf(price ?? 0, currency), ...(country && { country }) },
    },
    { enabled: price !== null, keep: true },
  );
  const where = country ? formatCountry(language, country) : t('methods.unknownCountry');
  const offer = read.data;
  return (
    <Card className="mt-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 className="flex min-w-0 flex-1 basis-64 items-center gap-2 font-semibold">
          <Eye size={16} aria-hidden className="shrink-0 text-soft" />
          {t('methods.sees', {
            country: where,
            amount: formatMoney(language, minorOf(price ?? 0, currency), currency),
          })}
        </h2>
        <div className="w-32">
          <TextField
            label={t('methods.amount', { currency })}
            inputMode="decimal"
            value={amount}
            error={price === null ? t('methods.amountNumber') : undefined}
            onChange={({ target }) => setAmount(target.value)}
          />
        </div>
      </div>
      {read.isPending && price !== null && <Loading />}
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {offer && offer.missing !== null && <p className="pt-3 text-warn">{t(`methods.missing.${offer.missing}`)}</p>}
      {offer && offer.methods.length > 0 && (
        <>
          <ol className="flex flex-wrap gap-2 pt-4">
            {offer.methods.map(method => (
              <li key={method.id} className="flex items-center gap-2 rounded-md border border-line py-1.5 pr-3 pl-1.5">
                <MethodBadge method={method} />
                <span>
                  {nameOf(method)}
                  <span className="block text-12 text-soft">{method.title}</span>
                </span>
              </li>
            ))}
          </ol>
          <p className="pt-3 text-12 text-soft">{t('methods.seesAbout')}</p>
        </>
      )}
    </Card>
  );
}
