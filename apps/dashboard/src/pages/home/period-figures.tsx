import type { Home } from '@coinslot/contract';
import type { ReactNode } from 'react';
import { formatNumber } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { language, t } from '../../texts/texts.ts';
import { Figure, Figures } from '../../ui/figure.tsx';
import { changeOf, type PeriodMoney, periodMoney, shareText, signedPercent } from './home-figures.ts';

/** Amounts of several currencies stand one below the other, and no amount wraps. */
const Line = ({ children }: { children: ReactNode }) => <span className="block">{children}</span>;

/** Compares with the same number of days before. */
function PreviousPeriod({ now, before, text }: { now: number; before: number; text: string }) {
  const change = changeOf(now, before);
  return (
    <Line>
      {t('home.before', { value: text })}
      {change !== null && <b className="pl-1.5 font-semibold text-ink">{signedPercent(change)}</b>}
    </Line>
  );
}

const money = (amountMinor: number, currency: string): string => formatMoney(language, amountMinor, currency);
const count = (value: number): string => formatNumber(language, value);

function VolumeNote({ of }: { of: PeriodMoney }) {
  const { currency, paid, paidBefore, others, isSum, missing } = of;
  return (
    <>
      {others.map(other => (
        <Line key={other.currency}>+ {money(other.paid, other.currency)}</Line>
      ))}
      {isSum && <Line>{t('home.byYourRates')}</Line>}
      {missing.length > 0 && <Line>{t('home.noRate', { currencies: missing.join(', ') })}</Line>}
      <PreviousPeriod now={paid} before={paidBefore} text={money(paidBefore, currency)} />
    </>
  );
}

function NetNote({ of }: { of: PeriodMoney }) {
  const { currency, net, netBefore, others } = of;
  return (
    <>
      {others.map(other => (
        <Line key={other.currency}>+ {money(other.net, other.currency)}</Line>
      ))}
      <PreviousPeriod now={net} before={netBefore} text={money(netBefore, currency)} />
    </>
  );
}

/** Shows each figure of the chosen period beside that of the period before. */
export function RangeFigures({ home: { range, before } }: { home: Home }) {
  const volume = periodMoney(range, before);
  const counted = (name: 'paid' | 'orders' | 'declined') => ({
    name: t(`home.${name}`),
    about: t(`home.about.${name}`),
    note: <PreviousPeriod now={range[name]} before={before[name]} text={count(before[name])} />,
    children: count(range[name]),
  });
  const share = (name: 'conversion' | 'refunds' | 'disputes', of: 'conversion' | 'refund_rate' | 'dispute_rate') => ({
    name: t(`home.${name}`),
    about: t(`home.about.${name}`),
    note: <Line>{t('home.before', { value: shareText(before[of]) })}</Line>,
    children: shareText(range[of]),
  });
  return (
    <Figures columns="four">
      <Figure name={t('home.volume')} about={t('home.about.volume')} note={volume && <VolumeNote of={volume} />}>
        {volume ? money(volume.paid, volume.currency) : '–'}
      </Figure>
      <Figure name={t('home.netVolume')} about={t('home.about.net')} note={volume && <NetNote of={volume} />}>
        {volume ? money(volume.net, volume.currency) : '–'}
      </Figure>
      <Figure {...counted('paid')} />
      <Figure {...counted('orders')} />
      <Figure {...share('conversion', 'conversion')} />
      <Figure {...counted('declined')} />
      <Figure {...share('refunds', 'refund_rate')} />
      <Figure {...share('disputes', 'dispute_rate')} />
    </Figures>
  );
}

/** Shows only counts for today, because rates of a few hours say little. */
export function TodayFigures({ home: { today, range } }: { home: Home }) {
  const volume = periodMoney(today, range);
  return (
    <Figures columns="two">
      <Figure
        name={t('home.volume')}
        note={volume?.others.map(other => <Line key={other.currency}>+ {money(other.paid, other.currency)}</Line>)}
      >
        {volume ? money(volume.paid, volume.currency) : '–'}
      </Figure>
      <Figure name={t('home.paid')}>{count(today.paid)}</Figure>
      <Figure name={t('home.orders')}>{count(today.orders)}</Figure>
      <Figure name={t('home.declined')}>{count(today.declined)}</Figure>
    </Figures>
  );
}
