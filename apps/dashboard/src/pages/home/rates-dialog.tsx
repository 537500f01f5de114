import type { Home, ReportRates } from '@coinslot/contract';
import { Sigma } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { numberOf } from '../../kit/money.ts';
import { issueOf, otherProblem } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';

interface RatesDialogProps {
  saved: ReportRates;
  /** The currencies in use, the most frequent first. */
  currencies: readonly string[];
  onClose(): void;
}

const textOf = (rate: number | undefined): string => (rate === undefined ? '' : String(rate));

/** These rates are only for display. Neither payments nor the ledger use them. */
function RatesDialog({ saved, currencies, onClose }: RatesDialogProps) {
  const { company_id } = useCurrentGame();
  const [currency, setCurrency] = useState(saved.currency ?? '');
  const [rates, setRates] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(saved.rates.map(one => [one.currency, textOf(one.rate)])),
  );
  const all = [
    ...new Set([...currencies, ...saved.rates.map(one => one.currency), ...(saved.currency ? [saved.currency] : [])]),
  ];
  const others = all.filter(one => one !== currency);
  const given = others.flatMap(one => {
    const rate = numberOf(rates[one] ?? '');
    return rate !== null && rate > 0 ? [{ currency: one, rate }] : [];
  });
  const isWrong = (one: string): boolean =>
    (rates[one] ?? '').trim() !== '' && !given.some(rate => rate.currency === one);
  const save = useAction(
    () =>
      call('PUT /dashboard/api/companies/{company_id}/rates', {
        params: { company_id },
        body: { currency: currency || null, rates: currency ? given : [] },
      }),
    { done: () => t('rates.saved'), after: onClose, quiet: true },
  );
  return (
    <Dialog
      title={t('rates.title')}
      onClose={onClose}
      onSubmit={() => !others.some(isWrong) && save.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {t('dialog.save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{t('rates.about')}</p>
        <SelectField
          label={t('rates.currency')}
          value={currency}
          error={issueOf(save.error, '/currency')}
          onChange={({ target }) => setCurrency(target.value)}
        >
          <option value="">{t('rates.none')}</option>
          {all.map(one => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
        {currency !== '' &&
          others.map(one => (
            <TextField
              key={one}
              label={t('rates.one', { from: one, to: currency })}
              inputMode="decimal"
              value={rates[one] ?? ''}
              error={isWrong(one) ? t('rates.number') : undefined}
              onChange={({ target }) => setRates({ ...rates, [one]: target.value })}
            />
          ))}
        <FormProblem text={otherProblem(save.error, '/currency')} />
      </div>
    </Dialog>
  );
}

/** Offered if there is more than one currency and the member may change the company's rates. */
export function RatesButton({ home }: { home: Home }) {
  const { company_id, may } = useCurrentGame();
  const [isOpen, setOpen] = useState(false);
  const currencies = [...new Set([...home.range.money, ...home.before.money].map(({ currency }) => currency))];
  const isOffered = may('changeRates') && (currencies.length > 1 || home.range.sum !== null);
  const read = useRead(
    'GET /dashboard/api/companies/{company_id}/rates',
    { params: { company_id } },
    { enabled: isOffered && isOpen },
  );
  if (!isOffered) return null;
  return (
    <>
      <Button look="quiet" size="small" icon={<Sigma size={14} aria-hidden />} onClick={() => setOpen(true)}>
        {t(home.range.sum ? 'rates.change' : 'rates.open')}
      </Button>
      {isOpen && read.data && <RatesDialog saved={read.data} currencies={currencies} onClose={() => setOpen(false)} />}
    </>
  );
}
