import { Download, Image } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { formatDay } from '../../kit/format.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import type { ChartProps } from '../chart.tsx';
import { EnvLink } from '../env-link.tsx';
import { Chart } from '../lazy-chart.tsx';
import { Section } from '../page.tsx';
import { csvOf, drawTable, type FigureRow, type FigureTable, fileName, frameChart, save } from './export-figure.ts';

/** The byte order mark, by which a spreadsheet reads UTF-8. */
const MARK = '\uFEFF';

const pictureOf = (table: FigureTable, chart: HTMLCanvasElement | null): HTMLCanvasElement =>
  chart ? frameChart(table.title, chart) : drawTable(table);

const saveTable = (table: FigureTable): void =>
  save(new Blob([MARK, csvOf(table)], { type: 'text/csv;charset=utf-8' }), fileName(table.title, 'csv'));

const savePicture = (table: FigureTable, chart: HTMLCanvasElement | null): void =>
  pictureOf(table, chart).toBlob(blob => {
    if (blob) save(blob, fileName(table.title, 'png'));
  });

interface PanelProps {
  table: FigureTable;
  about?: string | undefined;
  /** Shown before the actions that every panel has. */
  actions?: ReactNode;
  className?: string;
  level?: 2 | 3;
  /** The text if there is nothing to show. */
  empty?: string;
  children: ReactNode;
}

/** One question: its answer, and the same as a file for a spreadsheet and as a picture. */
export function FigurePanel({ table, about, actions, className, level = 2, empty, children }: PanelProps) {
  const box = useRef<HTMLDivElement>(null);
  const { title, rows } = table;
  const common = { look: 'quiet', size: 'small' } as const;
  return (
    <Section
      title={title}
      level={level}
      {...(about !== undefined && { about })}
      {...(className && { className })}
      actions={
        rows.length > 0 && (
          <>
            {actions}
            <Button
              {...common}
              className="max-md:first:-ms-3"
              icon={<Download size={14} aria-hidden />}
              aria-label={`${t('figures.csv')}: ${title}`}
              onClick={() => saveTable(table)}
            >
              {t('figures.csv')}
            </Button>
            <Button
              {...common}
              className="-me-3"
              icon={<Image size={14} aria-hidden />}
              aria-label={`${t('figures.png')}: ${title}`}
              onClick={() => savePicture(table, box.current?.querySelector('canvas') ?? null)}
            >
              {t('figures.png')}
            </Button>
          </>
        )
      }
    >
      {rows.length === 0 ? (
        <p className="py-6 text-soft">{empty ?? t('figures.empty')}</p>
      ) : (
        <div ref={box} className="min-w-0">
          {children}
        </div>
      )}
    </Section>
  );
}

/** The points of a chart as a table, for a spreadsheet. */
function tableOfChart({ title, times, series, format, formatX }: ChartProps): FigureTable {
  const shown = formatX ?? ((at: number) => formatDay(language, at));
  return {
    title,
    columns: [t('chart.time'), ...series.map(({ label }) => label)],
    rows: times.map((at, row) => {
      const values = series.map(one => one.values[row] ?? null);
      return {
        cells: [shown(at), ...values.map(value => (value === null ? '–' : format(value)))],
        values: [new Date(at * 1_000).toISOString().slice(0, formatX ? 16 : 10), ...values.map(value => value ?? '')],
      };
    }),
  };
}

interface ChartPanelProps extends Omit<PanelProps, 'table' | 'children'> {
  chart: ChartProps;
}

/** A chart that can be taken along as a file or a picture. */
export const ChartPanel = ({ chart, ...panel }: ChartPanelProps) => (
  <FigurePanel table={tableOfChart(chart)} {...panel}>
    <Chart {...chart} />
  </FigurePanel>
);

export interface LinkedRow extends FigureRow {
  key: string;
  /** The page with the list behind the row, if there is one. */
  to?: string;
  search?: Record<string, string>;
  note?: ReactNode;
}

const Bar = ({ share }: { share: number }) => (
  <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-sunk">
    <span className="block h-full rounded-full bg-(--series-1)" style={{ width: `${Math.round(share * 100)}%` }} />
  </span>
);

function RowName({ row: { cells, to, search } }: { row: LinkedRow }) {
  if (to === undefined) return cells[0];
  return (
    <EnvLink to={to} {...(search && { search })} className="text-link hover:underline">
      {cells[0]}
    </EnvLink>
  );
}

/** A table that is a chart: each row has a bar, and its name opens the list behind it. */
const BarTable = ({ table, rows }: { table: FigureTable; rows: readonly LinkedRow[] }) => (
  <table className="w-full text-start">
    <caption className="sr-only">{table.title}</caption>
    <thead>
      <tr className="text-12 text-soft">
        {table.columns.map((column, at) => (
          <th
            key={column}
            scope="col"
            className={`py-1 font-normal whitespace-nowrap ${at === 0 ? 'text-start' : 'ps-4 text-end'}`}
          >
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(row => (
        <tr key={row.key} className="align-top">
          <th scope="row" className="w-full max-w-0 py-2 text-start font-normal">
            <span className="block truncate" title={row.cells[0]}>
              <RowName row={row} />
            </span>
            <Bar share={row.bar ?? 0} />
            {row.note && <span className="block pt-1 text-12 text-soft">{row.note}</span>}
          </th>
          {row.cells.slice(1).map((cell, at) => (
            <td key={table.columns[at + 1]} className="py-2 ps-4 text-end whitespace-nowrap">
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

interface BarPanelProps {
  title: string;
  about?: string | undefined;
  columns: readonly string[];
  rows: readonly LinkedRow[];
}

/** A panel whose chart is its table. */
export const BarPanel = ({ title, about, columns, rows }: BarPanelProps) => (
  <FigurePanel table={{ title, columns, rows }} about={about}>
    <BarTable table={{ title, columns, rows }} rows={rows} />
  </FigurePanel>
);
