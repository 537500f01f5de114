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
    return import('./chart.tsx').then(({ Chart: component }) => ({ default: component }));
  }),
);

const LEGEND = 20;

/** As high as the chart with its legend and what opens its table, so that the page does not move. */
const placeholderHeight = ({ height = 200 }: ChartProps): number => LEGEND + height;

/** The figures around a chart do not wait for the charting code. A placeholder keeps the space meanwhile. */
export const Chart = (props: ChartProps) => (
  <Part>
    <Suspense
      fallback={
        <span
          data-chart
          aria-hidden
          className={`breathe block w-full rounded-sm bg-line ${props.linkOf ? 'mb-8' : ''}`}
          style={{ height: placeholderHeight(props) }}
        />
      }
    >
      <LoadedChart {...props} />
    </Suspense>
  </Part>
);
