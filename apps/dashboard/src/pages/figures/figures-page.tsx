import type { Figures } from '@coinslot/contract';
import { useFilters } from '../../kit/filters.ts';
import { formatCountry, formatNumber, spanText } from '../../kit/format.ts';
import { PERIODS, periodDays, utcRange } from '../../kit/times.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { methodName } from '../../ui/cells.tsx';
import { BarPanel } from '../../ui/figures/figure-panel.tsx';
import { RangePicker } from '../../ui/list/filter-bar.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { BuyersPanel, CohortPanel, GrantPanel } from './buyer-panels.tsx';
import { ComparePicker, CurrencySwitch } from './compare-picker.tsx';
import { adviceFor, beforeFrom, localHour, salesRows, shareRows } from './figure-rows.ts';
import { RatePanel } from './rate-panel.tsx';

const orUnknown = (key: string, name: (known: string) => string): string =>
  key === '' ? t('figures.unknown') : name(key);
const country = (key: string): string => orUnknown(key, code => formatCountry(language, code));
const method = (key: string): string => orUnknown(key, methodName);

type DeviceName = 'phone' | 'tablet' | 'desktop' | 'other';
const device = (key: string): string => t(`figures.device.${key as DeviceName}`);

interface PanelsProps {
  figures: Figures;
  /** The span as a list's address writes it. */
  range: string;
}

function Conversion({ figures, range }: PanelsProps) {
  const columns = (first: string, of: string) => [first, of, t('figures.share'), t('figures.before')];
  const opened = t('home.opened');
  const to = 'transactions';
  return (
    <>
      <BarPanel
        title={t('figures.byMethod')}
        about={t('figures.byMethodAbout')}
        columns={columns(t('column.method'), t('figures.attempts'))}
        rows={shareRows(figures.methods, { name: method, to, search: key => ({ method: key, range }) })}
      />
      <BarPanel
        title={t('figures.byCountry')}
        about={t('figures.openedAbout')}
        columns={columns(t('column.country'), opened)}
        rows={shareRows(figures.countries, { name: country, to, search: key => ({ country: key, range }) })}
      />
      <BarPanel
        title={t('figures.byDevice')}
        about={t('figures.openedAbout')}
        columns={columns(t('figures.device'), opened)}
        rows={shareRows(figures.devices, { name: device, to: 'orders', search: () => ({ range }) })}
      />
    </>
  );
}

function Declines({ figures: { declines }, range }: PanelsProps) {
  const most = Math.max(1, ...declines.map(({ count }) => count));
  return (
    <BarPanel
      title={t('figures.declines')}
      columns={[t('column.response'), t('figures.count'), t('figures.before')]}
      rows={declines.map(({ code, description, count, count_before }) => {
        const name = description ?? (code || t('home.noReason'));
        return {
          key: code,
          cells: [name, formatNumber(language, count), formatNumber(language, count_before)],
          values: [name, count, count_before],
          bar: count / most,
          note: t(`figures.advice.${adviceFor(code)}`),
          to: 'transactions',
          search: { status: 'declined', range, ...(code !== '' && { response_code: code }) },
        };
      })}
    />
  );
}

/** In the viewer's own hours, in the order of the day. */
function hoursOf({ sales }: Figures): Figures['sales']['hours'] {
  const offset = -new Date().getTimezoneOffset();
  return sales.hours
    .map(row => ({ ...row, key: String(localHour(Number(row.key), offset)) }))
    .filter(({ count, count_before }) => count + count_before > 0)
    .toSorted((a, b) => Number(a.key) - Number(b.key));
}

function Revenue({ figures, range }: PanelsProps) {
  const { sales } = figures;
  const currency = figures.currency ?? 'USD';
  const columns = (first: string) => [first, t('figures.count'), t('figures.amount'), t('figures.before')];
  const [to, paid] = ['transactions', { status: 'succeeded', range }];
  const items = { name: (key: string) => key, to: 'orders', search: (key: string) => ({ q: key, range }) };
  const hours = { name: (key: string) => `${key.padStart(2, '0')}:00`, to, search: () => paid };
  const countries = { name: country, to, search: (key: string) => ({ ...paid, country: key }) };
  const methods = { name: method, to, search: (key: string) => ({ ...paid, method: key }) };
  return (
    <>
      <BarPanel
        title={t('figures.revenueByItem')}
        columns={columns(t('figures.item'))}
        rows={salesRows(sales.items, currency, items)}
      />
      <BarPanel
        title={t('figures.revenueByCountry')}
        columns={columns(t('column.country'))}
        rows={salesRows(sales.countries, currency, countries)}
      />
      <BarPanel
        title={t('figures.revenueByHour')}
        about={t('figures.hourAbout')}
        columns={columns(t('figures.hour'))}
        rows={salesRows(hoursOf(figures), currency, hours)}
      />
      <BarPanel
        title={t('figures.revenueByMethod')}
        columns={columns(t('column.method'))}
        rows={salesRows(sales.methods, currency, methods)}
      />
    </>
  );
}

function Panels({ figures }: { figures: Figures }) {
  const range = utcRange(figures.from, figures.to);
  return (
    <>
      <RatePanel figures={figures} />
      <div className="grid gap-x-12 lg:grid-cols-2 [&>*]:min-w-0">
        <Conversion figures={figures} range={range} />
        <Declines figures={figures} range={range} />
        <Revenue figures={figures} range={range} />
        <BuyersPanel figures={figures} />
        <GrantPanel figures={figures} />
      </div>
      <CohortPanel figures={figures} />
    </>
  );
}

function Spans({ figures }: { figures: Figures }) {
  const { from, to, before_from, before_to, missing } = figures;
  const spans = { span: spanText(language, from, to), before: spanText(language, before_from, before_to) };
  return (
    <p className="pb-2 text-soft">
      {t('figures.spans', spans)}
      {missing.length > 0 && ` ${t('home.noRate', { currencies: missing.join(', ') })}`}
    </p>
  );
}

/** Answers to questions about the shop, all from rolled-up figures and in days of UTC. */
export function FiguresPage() {
  const params = useEnv();
  const [{ range, compare, currency }] = useFilters();
  const days = periodDays(range, new Date());
  const earlier = beforeFrom(compare, days.from);
  const query = { ...days, ...(earlier && { before_from: earlier }), ...(currency && { currency }) };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/figures', { params, query }, { keep: true });
  const figures = read.data;
  return (
    <Page
      title={t('nav.figures')}
      about={t('figures.about')}
      back={{ to: '', label: t('nav.home') }}
      actions={<RangePicker words={PERIODS} usual="30d" align="end" />}
    >
      {!figures || read.isError ? (
        <LoadingOrProblem read={read} />
      ) : (
        <>
          <div className="flex flex-wrap items-end gap-4 pb-4">
            <ComparePicker from={figures.from} earliest={figures.before_from} />
            <CurrencySwitch
              currencies={figures.currencies}
              sum={figures.sum_currency}
              value={figures.is_sum ? 'sum' : (figures.currency ?? '')}
            />
          </div>
          <Spans figures={figures} />
          <Panels figures={figures} />
        </>
      )}
    </Page>
  );
}
