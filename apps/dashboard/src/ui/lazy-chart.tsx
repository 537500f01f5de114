import { lazy, Suspense } from 'react';
import { loadWhenOnline } from '../kit/connection.ts';
import { language } from '../texts/texts.ts';
import type { ChartProps } from './chart.tsx';
import { Part } from './part.tsx';

/**
 * The charting code formats numbers for the browser's language as it is loaded, and breaks on one that is no language tag, as
 * under the locale "C".
 */
function mendLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: language, configurable: true });
  }
}

const LoadedChart = lazy(
  loadWhenOnline(() => {
    mendLanguage();
    return import('./chart.tsx').then(({ CanvasChart: component }) => ({ default: component }));
  }),
);

const LEGEND_LINE = 20;
/** As many series as are on one line of a phone, with their values. */
const ON_ONE_LINE = 2;

/** Fixed, so that the chart does not move when the values appear, and known before its code has come. */
const legendHeight = ({ series }: ChartProps): number => (series.length > ON_ONE_LINE ? 2 : 1) * LEGEND_LINE;

/** As high as the chart with its legend and what opens its table, so that the page does not move. */
const placeholderHeight = (props: ChartProps): number => legendHeight(props) + (props.height ?? 200);

/** The figures around a chart do not wait for the charting code. A placeholder keeps the space meanwhile. */
export const Chart = (props: ChartProps) => (
  <Part>
    <Suspense
      fallback={
        <span
          data-chart
          aria-hidden
          className={`breathe block w-full rounded-sm bg-line ${props.linkOf ? 'mb-6' : ''}`}
          style={{ height: placeholderHeight(props) }}
        />
      }
    >
      <LoadedChart {...props} legendHeight={legendHeight(props)} />
    </Suspense>
  </Part>
);
