import type { Home } from '@coinslot/contract';
import { useState } from 'react';
import { formatCompact, formatHour, formatNumber } from '../../kit/format.ts';
import { formatCompactMoney, formatMoney } from '../../kit/money.ts';
import { dayText, noonOf } from '../../kit/times.ts';
import { language, t } from '../../texts/texts.ts';
import { SelectField } from '../../ui/field.tsx';
import { ChartPanel } from '../../ui/figures/figure-panel.tsx';
import { Segments } from '../../ui/segments.tsx';

interface CurrencyChoiceProps {
  choices: readonly (readonly [string, string])[];
  value: string;
  onChange(currency: string): void;
}

const MOST_SEGMENTS = 4;

/** Shows a few currencies side by side and more of them as a select. */
const CurrencyChoice = ({ choices, value, onChange }: CurrencyChoiceProps) =>
  choices.length <= MOST_SEGMENTS ? (
    <Segments label={t('column.currency')} choices={choices} value={value} onChange={onChange} />
  ) : (
    <SelectField label={t('column.currency')} value={value} onChange={({ target }) => onChange(target.value)}>
      {choices.map(([code, text]) => (
        <option key={code} value={code}>
          {text}
        </option>
      ))}
    </SelectField>
  );

interface DayChartProps {
  home: Home;
  /** The days that the chart covers, as text. */
  about: string;
}

const linkToDay = (day: string, search: Record<string, string>) => ({
  to: 'transactions',
  search: { ...search, range: `${day}..${day}` },
});

const ofDayAt = ({ days }: Home, row: number, search: Record<string, string>) => linkToDay(days[row]!.day, search);

const COUNTS = {
  leastTop: 4,
  whole: true,
  format: (value: number) => formatNumber(language, value),
  formatAxis: (value: number) => formatCompact(language, value),
} as const;

/** The choice that stands for the sum of all currencies. */
const SUM = 'sum';

export function DayChart({ home, about }: DayChartProps) {
  const { money, sum } = home.range;
  const choices = [...(sum ? [SUM] : []), ...money.map(one => one.currency)];
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen = wanted !== null && choices.includes(wanted) ? wanted : choices[0];
  const currency = chosen === SUM ? sum!.currency : (chosen ?? 'USD');
  const ofDay = (day: Home['days'][number]): { paid: number; net: number } | null | undefined =>
    chosen === SUM ? day.sum : day.money.find(one => one.currency === currency);
  return (
    <ChartPanel
      about={about}
      className="border-t-0"
      actions={
        choices.length > 1 && (
          <CurrencyChoice
            choices={choices.map(
              one => [one, one === SUM ? t('home.allIn', { currency: sum!.currency }) : one] as const,
            )}
            value={chosen!}
            onChange={setWanted}
          />
        )
      }
      chart={{
        title: `${t('home.volumeByDay')} (${currency})`,
        times: home.days.map(({ day }) => noonOf(day)),
        height: 240,
        leastTop: 100,
        format: value => formatMoney(language, value, currency),
        formatAxis: value => formatCompactMoney(language, value, currency),
        linkOf: row => ofDayAt(home, row, { status: 'succeeded', ...(chosen !== SUM && { currency }) }),
        series: [
          { label: t('home.volume'), color: 1, kind: 'area', values: home.days.map(day => ofDay(day)?.paid ?? 0) },
          { label: t('home.netVolume'), color: 3, kind: 'line', values: home.days.map(day => ofDay(day)?.net ?? 0) },
        ],
      }}
    />
  );
}

export const FunnelChart = ({ home, about }: DayChartProps) => (
  <ChartPanel
    about={about}
    chart={{
      title: t('home.funnel'),
      times: home.days.map(({ day }) => noonOf(day)),
      height: 180,
      ...COUNTS,
      linkOf: row => ofDayAt(home, row, {}),
      series: [
        { label: t('home.opened'), color: 1, kind: 'line', values: home.days.map(({ opened }) => opened) },
        { label: t('home.paid'), color: 3, kind: 'line', values: home.days.map(({ paid }) => paid) },
        { label: t('home.declined'), color: 4, kind: 'line', values: home.days.map(({ declined }) => declined) },
      ],
    }}
  />
);

export const HourChart = ({ home }: { home: Home }) => (
  <ChartPanel
    about={t('home.last24')}
    chart={{
      title: t('home.byHour'),
      times: home.hours.map(({ at }) => at),
      height: 180,
      ...COUNTS,
      formatX: at => formatHour(language, at),
      linkOf: row => linkToDay(dayText(new Date(home.hours[row]!.at * 1_000)), { status: 'succeeded' }),
      series: [{ label: t('home.paid'), color: 3, kind: 'bars', values: home.hours.map(({ paid }) => paid) }],
    }}
  />
);
