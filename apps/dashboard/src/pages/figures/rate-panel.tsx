import type { Figures } from '@coinslot/contract';
import { formatNumber, formatPercent } from '../../kit/format.ts';
import { noonOf, utcRange } from '../../kit/times.ts';
import { language, t } from '../../texts/texts.ts';
import { EnvLink } from '../../ui/env-link.tsx';
import { FigurePanel } from '../../ui/figures/figure-panel.tsx';
import { Chart } from '../../ui/lazy-chart.tsx';
import { SCHEME_LIMITS, shareOf } from './figure-rows.ts';

const percent = (share: number): string => formatPercent(language, share);

/** What the card schemes allow, and where the shop stands. */
const Limits = ({ disputed, paid }: { disputed: number; paid: number }) => (
  <ul className="grid gap-1 pt-3 text-soft">
    {SCHEME_LIMITS.map(({ scheme, share, from }) => {
      const isAbove = disputed >= from && disputed > paid * share;
      return (
        <li key={scheme}>
          {t('figures.limit', { scheme, share: percent(share), number: formatNumber(language, from) })}{' '}
          <b className={`font-semibold ${isAbove ? 'text-danger' : 'text-ink'}`}>
            {t(isAbove ? 'figures.limitAbove' : 'figures.limitBelow')}
          </b>
        </li>
      );
    })}
  </ul>
);

function tableOf({ days }: Figures) {
  const columns = [
    t('figures.day'),
    t('home.paid'),
    t('figures.returned'),
    t('figures.disputed'),
    t('home.refunds'),
    t('home.disputes'),
  ];
  const rows = days.map(({ day, paid, returned, disputed }) => {
    const values = [day, paid, returned, disputed, shareOf(returned, paid) ?? '', shareOf(disputed, paid) ?? ''];
    return { cells: values.map(String), values };
  });
  return { title: t('figures.rates'), columns, rows };
}

/** Refunds and disputes by the day of the payment, against the limits of the card schemes. */
export function RatePanel({ figures }: { figures: Figures }) {
  const { days, from, to } = figures;
  const sum = (of: (day: (typeof days)[number]) => number): number => days.reduce((all, day) => all + of(day), 0);
  const [paid, disputed] = [sum(day => day.paid), sum(day => day.disputed)];
  const rate = (of: 'returned' | 'disputed') => days.map(day => shareOf(day[of], day.paid));
  const table = tableOf(figures);
  const link = (status: string, label: string) => (
    <EnvLink to="transactions" search={{ status, range: utcRange(from, to) }} className="text-link hover:underline">
      {label}
    </EnvLink>
  );
  return (
    <FigurePanel table={paid === 0 ? { ...table, rows: [] } : table} about={t('figures.ratesAbout')}>
      <Chart
        title={table.title}
        times={days.map(({ day }) => noonOf(day))}
        height={200}
        leastTop={0.02}
        format={percent}
        linkOf={row => ({ to: 'transactions', search: { range: utcRange(days[row]!.day, days[row]!.day) } })}
        series={[
          { label: t('home.refunds'), color: 1, kind: 'line', values: rate('returned') },
          { label: t('home.disputes'), color: 4, kind: 'line', values: rate('disputed') },
        ]}
      />
      <p className="flex flex-wrap gap-4 pt-3">
        {link('refunded', t('figures.seeRefunds'))}
        {link('disputed', t('figures.seeDisputes'))}
      </p>
      <Limits disputed={disputed} paid={paid} />
    </FigurePanel>
  );
}
