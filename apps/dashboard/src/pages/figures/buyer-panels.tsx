import type { Figures } from '@coinslot/contract';
import { formatDuration, formatNumber, formatPercent, monthText } from '../../kit/format.ts';
import { monthAfter, utcRange } from '../../kit/times.ts';
import { language, t } from '../../texts/texts.ts';
import { EnvLink } from '../../ui/env-link.tsx';
import { BarPanel, FigurePanel } from '../../ui/figures/figure-panel.tsx';
import { cohortShares, salesRows } from './figure-rows.ts';

export function BuyersPanel({ figures }: { figures: Figures }) {
  const { first, repeat } = figures.sales;
  const rows = [
    { ...first, key: 'first' },
    { ...repeat, key: 'repeat' },
  ].filter(({ count, count_before }) => count + count_before > 0);
  const name = (key: string): string => t(key === 'first' ? 'figures.first' : 'figures.repeat');
  return (
    <BarPanel
      title={t('figures.buyers')}
      columns={[t('figures.buyer'), t('figures.orders'), t('figures.amount'), t('figures.before')]}
      rows={salesRows(rows, figures.currency ?? 'USD', {
        name,
        to: 'players',
        search: key => ({ sort: key === 'first' ? 'last_purchase' : 'orders' }),
      })}
    />
  );
}

const NONE = '–';

function cohortTable(figures: Figures) {
  const cohorts = cohortShares(figures);
  const longest = Math.max(0, ...cohorts.map(({ shares }) => shares.length));
  const later = Array.from({ length: longest }, (_, at) => t('figures.monthLater', { count: at + 1 }));
  const text = (share: number | null | undefined): string =>
    share === null || share === undefined ? NONE : formatPercent(language, share);
  return {
    title: t('figures.cohorts'),
    columns: [t('figures.firstMonth'), t('figures.size'), ...later],
    rows: cohorts.map(({ month, size, shares }) => ({
      cells: [monthText(language, month), formatNumber(language, size), ...later.map((_, at) => text(shares[at]))],
      values: [month, size, ...later.map((_, at) => shares[at] ?? '')],
    })),
  };
}

/** Opens the players of a cell: all of the cohort, or those of them who bought again so many months later. */
const BuyersLink = ({ first, later, cell }: { first: string; later: number; cell: string }) =>
  cell === NONE ? (
    cell
  ) : (
    <EnvLink
      to="players"
      search={{ first_month: first, ...(later > 0 && { bought_month: monthAfter(first, later) }) }}
      className="text-link hover:underline"
    >
      {cell}
    </EnvLink>
  );

/** Players by the month of their first purchase: which share bought again in each month after it. */
export function CohortPanel({ figures }: { figures: Figures }) {
  const table = cohortTable(figures);
  const { title, columns, rows } = table;
  const months = cohortShares(figures).map(({ month }) => month);
  return (
    <FigurePanel table={table} about={t('figures.cohortsAbout')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keyboard */}
      <section className="overflow-x-auto" aria-label={title} tabIndex={0}>
        <table className="text-end">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="text-12 text-soft">
              {columns.map((column, at) => (
                <th key={column} scope="col" className={`py-1 font-normal ${at === 0 ? 'text-start' : 'ps-4'}`}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cells: [name, ...cells] }, row) => (
              <tr key={months[row]}>
                <th scope="row" className="py-1.5 pe-4 text-start font-normal whitespace-nowrap">
                  {name}
                </th>
                {cells.map((cell, at) => (
                  <td key={columns[at + 1]} className="py-1.5 ps-4 whitespace-nowrap">
                    <BuyersLink first={months[row]!} later={at} cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </FigurePanel>
  );
}

export function GrantPanel({ figures: { grants, from, to } }: { figures: Figures }) {
  const { steps, p50_ms: half, p95_ms: most } = grants;
  const highest = Math.max(1, ...steps.map(({ count }) => count));
  const time = (ms: number): string => formatDuration(language, ms);
  const last = steps.at(-2)?.up_to_ms ?? 0;
  const rows = steps
    .filter(({ count, count_before }) => count + count_before > 0)
    .map(({ up_to_ms: ms, count, count_before }) => {
      const name = ms === null ? t('figures.longer', { time: time(last) }) : time(ms);
      return {
        key: String(ms),
        cells: [name, formatNumber(language, count), formatNumber(language, count_before)],
        values: [name, count, count_before],
        bar: count / highest,
        to: 'integration/deliveries',
        search: { event_type: 'item.add', range: utcRange(from, to) },
      };
    });
  const about =
    half === null || most === null ? undefined : t('figures.grantsAbout', { half: time(half), most: time(most) });
  return (
    <BarPanel
      title={t('figures.grants')}
      about={about}
      columns={[t('figures.within'), t('figures.orders'), t('figures.before')]}
      rows={rows}
    />
  );
}
