import { lazy, Suspense } from 'react';
import { patiently } from '../kit/connection.ts';
import type { ChartProps } from './chart.tsx';

const Drawn = lazy(patiently(() => import('./chart.tsx').then(({ Chart: component }) => ({ default: component }))));

/** As high as the chart with its legend, so that nothing jumps. */
const placeOf = ({ height = 200 }: ChartProps): string => (height > 200 ? 'h-[260px] w-full' : 'h-[200px] w-full');

/** The figures around a chart do not wait for the code that draws it; its place is kept meanwhile. */
export const Chart = (props: ChartProps) => (
  <Suspense fallback={<span data-chart aria-hidden className={`breathe block rounded-sm bg-line ${placeOf(props)}`} />}>
    <Drawn {...props} />
  </Suspense>
);
