import type { Home } from '@coinslot/contract';
import { useState } from 'react';
import { formatCompact, formatHour, formatNumber } from '../../kit/format.ts';
import { formatCompactMoney, formatMoney } from '../../kit/money.ts';
import { noonOf } from '../../kit/times.ts';
import { language, t } from '../../texts/texts.ts';
import { Chart } from '../../ui/chart.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';

interface CurrencyChoiceProps {
  currencies: readonly string[];
  value: string;
  onChange(currency: string): void;
}

const MOST_SEGMENTS = 4;

/** A few side by side; however many there are, each can be chosen. */
const CurrencyChoice = ({ currencies, value, onChange }: CurrencyChoiceProps) =>
  currencies.length <= MOST_SEGMENTS ? (
    <Segments
      label={t('column.currency')}
      choices={currencies.map(code => [code, code] as const)}
      value={value}
      onChange={onChange}
    />
  ) : (
    <SelectField label={t('column.currency')} value={value} onChange={({ target }) => onChange(target.value)}>
      {currencies.map(code => (
        <option key={code}>{code}</option>
      ))}
    </SelectField>
  );

export function DayChart({ home }: { home: Home }) {
  const currencies = home.last_30_days.money.map(({ currency }) => currency);
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = chosen && currencies.includes(chosen) ? chosen : (currencies[0] ?? 'USD');
  const paid = home.days.map(({ money }) => money.find(one => one.currency === currency)?.paid ?? 0);
  return (
    <Section
      title={t('home.volumeByDay')}
      about={t('home.last30')}
      className="border-t-0"
      actions={
        currencies.length > 1 && <CurrencyChoice currencies={currencies} value={currency} onChange={setChosen} />
      }
    >
      <Chart
        title={`${t('home.volumeByDay')} (${currency})`}
        times={home.days.map(({ day }) => noonOf(day))}
        height={240}
        leastTop={100}
        format={value => formatMoney(language, value, currency)}
        formatAxis={value => formatCompactMoney(language, value, currency)}
        series={[{ label: t('home.volumeByDay'), color: 1, kind: 'area', values: paid }]}
      />
    </Section>
  );
}

export const FunnelChart = ({ home }: { home: Home }) => (
  <Section title={t('home.funnel')} about={t('home.last30')}>
    <Chart
      title={t('home.funnel')}
      times={home.days.map(({ day }) => noonOf(day))}
      height={180}
      leastTop={4}
      whole
      format={value => formatNumber(language, value)}
      formatAxis={value => formatCompact(language, value)}
      series={[
        { label: t('home.opened'), color: 1, kind: 'line', values: home.days.map(({ opened }) => opened) },
        { label: t('home.paid'), color: 3, kind: 'line', values: home.days.map(({ paid }) => paid) },
        { label: t('home.declined'), color: 4, kind: 'line', values: home.days.map(({ declined }) => declined) },
      ]}
    />
  </Section>
);

export const HourChart = ({ home }: { home: Home }) => (
  <Section title={t('home.byHour')} about={t('home.last24')}>
    <Chart
      title={t('home.byHour')}
      times={home.hours.map(({ at }) => at)}
      height={180}
      leastTop={4}
      whole
      format={value => formatNumber(language, value)}
      formatAxis={value => formatCompact(language, value)}
      formatX={at => formatHour(language, at)}
      series={[{ label: t('home.paid'), color: 3, kind: 'bars', values: home.hours.map(({ paid }) => paid) }]}
    />
  </Section>
);
