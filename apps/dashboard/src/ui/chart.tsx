import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { formatDay } from '../kit/format.ts';
import { useEnv } from '../kit/use-env.ts';
import { language, t } from '../texts/texts.ts';
import { EnvLink } from './env-link.tsx';

export interface Series {
  label: string;
  values: (number | null)[];
  color: 1 | 2 | 3 | 4;
  kind: 'area' | 'line' | 'bars';
}

export interface ChartProps {
  /** Screen readers read the title out. */
  title: string;
  times: number[];
  series: Series[];
  /** Includes the unit. */
  format(value: number): string;
  /** A shorter format for the axis. */
  formatAxis?(value: number): string;
  /** The axis reaches at least this value, so that small numbers do not look large. */
  leastTop?: number;
  /** Counts need no fractions on the axis. */
  whole?: boolean;
  formatX?(at: number): string;
  height?: number;
  /** Where the list behind a point opens. */
  linkOf?(row: number): { to: string; search: Record<string, string> };
}

const FEW = 24;
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 1e7, 1e8];

const cssColor = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

interface PointHandlers {
  onPoint(at: number | null): void;
  onOpen(at: number): void;
}

/** A click on a point opens the list behind it. */
function openOnClick(plot: uPlot, onOpen: (at: number) => void): void {
  plot.over.style.cursor = 'pointer';
  plot.over.addEventListener('click', ({ clientX }) => {
    onOpen(plot.posToIdx(clientX - plot.over.getBoundingClientRect().left));
  });
}

function optionsOf(props: ChartProps, width: number, { onPoint, onOpen }: PointHandlers): uPlot.Options {
  const { times, series, format, formatAxis = format, leastTop = 1, height = 200, formatX, whole = false } = props;
  const font = '12px system-ui, sans-serif';
  const axis = { stroke: cssColor('--faint'), font, ticks: { show: false } };
  // Leaves space for half a bar at both ends.
  const margin = series.some(({ kind }) => kind === 'bars') ? ((times[1] ?? 0) - (times[0] ?? 0)) / 2 : 0;
  const dayText = formatX ?? ((at: number) => formatDay(language, at));
  return {
    width,
    height,
    // Half of a date stands to the right of the last point.
    padding: [8, 24, 0, 0],
    legend: { show: false },
    hooks: {
      setCursor: [plot => onPoint(plot.cursor.idx ?? null)],
      ...(props.linkOf && { ready: [plot => openOnClick(plot, onOpen)] }),
    },
    // Its own guard takes a click that follows a quick move for the end of a drag.
    cursor: { y: false, points: { size: 8 }, drag: { x: false, y: false, click: () => undefined } },
    scales: {
      x: { time: true, range: (_plot, min, max) => [min - margin, max + margin] },
      y: { range: (_plot, _min, max) => [0, Math.max(leastTop, (max ?? 0) * 1.08)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        border: { show: true, stroke: cssColor('--edge'), width: 1 },
        space: 64,
        size: 32,
        values: (_plot, splits) => splits.map(dayText),
      },
      {
        ...axis,
        size: 56,
        ...(whole && { incrs: WHOLE_STEPS }),
        grid: { stroke: cssColor('--line'), width: 1 },
        values: (_plot, splits) => splits.map(formatAxis),
      },
    ],
    series: [
      {},
      ...series.map(({ label, color, kind, values }): uPlot.Series => {
        const stroke = cssColor(`--series-${color}`);
        return {
          label,
          stroke,
          width: kind === 'bars' ? 0 : 2,
          // A single value makes no line, so it is drawn as a point.
          points: {
            show: kind !== 'bars' && values.filter(value => value !== null).length <= FEW,
            size: 5,
            fill: stroke,
          },
          ...(kind === 'area' && { fill: cssColor('--series-1-wash') }),
          ...(kind === 'bars' && { fill: stroke, paths: uPlot.paths.bars!({ size: [0.6, 32], radius: 0.15 }) }),
        };
      }),
    ],
  };
}

interface LoadedProps extends ChartProps {
  legendHeight: number;
}

const SWATCHES = { 1: 'bg-(--series-1)', 2: 'bg-(--series-2)', 3: 'bg-(--series-3)', 4: 'bg-(--series-4)' } as const;

/** The values under the pointer stand above the chart, where no finger hides them. */
const Legend = ({ times, series, format, formatX, legendHeight, point }: LoadedProps & { point: number | null }) => {
  const at = point === null ? undefined : times[point];
  if (series.length === 1 && at === undefined) return <p style={{ height: legendHeight }} />;
  return (
    <p
      aria-hidden
      className="flex flex-wrap content-start gap-x-4 overflow-hidden text-12 leading-5 text-soft"
      style={{ height: legendHeight }}
    >
      {series.map(({ label, color, values }) => {
        const value = point === null ? undefined : values[point];
        return (
          <span key={label} className="inline-flex items-center gap-1.5">
            <span className={`size-2 rounded-full ${SWATCHES[color]}`} />
            {label}
            {value !== null && value !== undefined && <b className="font-semibold text-ink">{format(value)}</b>}
          </span>
        );
      })}
      {at !== undefined && <span className="ml-auto">{formatX ? formatX(at) : formatDay(language, at)}</span>}
    </p>
  );
};

const formatPoint = (at: number): string => formatDay(language, at);

const CELL = 'ps-4 text-end font-normal whitespace-nowrap';

/** The same figures as text. */
const DataTable = ({ title, times, series, format, formatX, linkOf }: ChartProps) => (
  <table>
    <caption className="sr-only">{title}</caption>
    <thead>
      <tr className="text-12 text-soft">
        <th scope="col" className="py-1 text-start font-normal">
          {t('chart.time')}
        </th>
        {series.map(({ label }) => (
          <th key={label} scope="col" className={CELL}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {times.map((at, row) => (
        <tr key={at}>
          <th scope="row" className="py-1 text-start font-normal whitespace-nowrap">
            {linkOf ? <EnvLink {...linkOf(row)}>{(formatX ?? formatPoint)(at)}</EnvLink> : (formatX ?? formatPoint)(at)}
          </th>
          {series.map(({ label, values }) => {
            const value = values[row];
            return (
              <td key={label} className={CELL}>
                {value === null || value === undefined ? '–' : format(value)}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  </table>
);

/**
 * Every chart has axes, units and a zero line. A canvas has no CSS, so the colors are read again when the theme
 * changes.
 */
export function CanvasChart(props: LoadedProps) {
  const box = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState<number | null>(null);
  const navigate = useNavigate();
  const { game_id, mode } = useEnv();
  const key = JSON.stringify([props.times, props.series, game_id, mode]);
  // Compares figures by value, so that reading the same ones again does not redraw the chart.
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      const data: uPlot.AlignedData = [props.times, ...props.series.map(({ values }) => values)];
      const onOpen = (at: number): void => {
        const { to, search } = props.linkOf!(at);
        void navigate({ to: `/g/$gameId/$mode/${to}`, params: { gameId: game_id, mode }, search });
      };
      plot = new uPlot(optionsOf(props, element.clientWidth, { onPoint: setPoint, onOpen }), data, element);
    };
    draw();
    const resized = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: props.height ?? 200 }),
    );
    resized.observe(element);
    window.addEventListener('coinslot:theme', draw);
    return () => {
      resized.disconnect();
      window.removeEventListener('coinslot:theme', draw);
      plot?.destroy();
    };
  }, [key]);
  return (
    <div className="min-w-0">
      <Legend {...props} point={point} />
      {/* As high as the plot that is drawn into it a moment later, so that the page does not move. */}
      <div ref={box} aria-hidden className="chart min-w-0 overflow-hidden" style={{ height: props.height ?? 200 }} />
      {props.linkOf ? (
        <details className="pt-2">
          <summary className="w-fit cursor-pointer text-12 text-soft hover:text-ink">{t('chart.table')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by the keyboard */}
          <section className="mt-2 max-h-72 overflow-auto" aria-label={props.title} tabIndex={0}>
            <DataTable {...props} />
          </section>
        </details>
      ) : (
        <div className="sr-only">
          <DataTable {...props} />
        </div>
      )}
    </div>
  );
}
