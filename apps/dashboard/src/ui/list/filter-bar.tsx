import { CalendarDays, Plus, Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { type Choice, choiceText, chosenOf, type Filters, toggleChoice, useFilters } from '../../kit/filters.ts';
import { daysOfRange, isRangeWord, type Period, RANGES, type RangeWord, rangeOfDays } from '../../kit/times.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { TextField } from '../field.tsx';
import { Popover } from '../overlay/popover.tsx';

export interface FilterDescription {
  key: string;
  label: string;
  /** Without choices, the filter takes any text. */
  choices?: readonly Choice[];
  /** Several choices at once, which the address separates by commas. */
  many?: boolean;
  /** Replaces the choices by a custom panel. `show` is then the text of the chip. */
  panel?(close: () => void): ReactNode;
  show?(value: string): string;
}

const CHIP =
  'inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-14 whitespace-nowrap transition-colors touch-44';
const UNSET = `${CHIP} border-dashed border-edge text-soft hover:border-solid hover:text-ink`;
const SET = `${CHIP} border-line bg-sunk text-ink`;

interface ChipProps {
  label: string;
  value: string | undefined;
  onClear(): void;
  icon?: ReactNode;
  align?: 'start' | 'end';
  children(close: () => void): ReactNode;
}

function Chip({ label, value, onClear, icon, align, children }: ChipProps) {
  return (
    // On a phone the chips are one scrolling row, so those in use come first.
    <span className={`inline-flex max-w-full items-center ${value === undefined ? '' : 'max-md:-order-1'}`}>
      <Popover
        label={label}
        {...(align && { align })}
        trigger={
          <button
            type="button"
            className={`${value === undefined ? UNSET : `${SET} rounded-e-none border-e-0`} max-w-full`}
          >
            {value === undefined ? (icon ?? <Plus size={14} aria-hidden />) : null}
            {label}
            {value !== undefined && (
              <span className="min-w-0 truncate font-semibold" title={value}>
                {value}
              </span>
            )}
          </button>
        }
      >
        {children}
      </Popover>
      {value !== undefined && (
        <button
          type="button"
          aria-label={t('filter.clear', { name: label })}
          onClick={onClear}
          className={`${SET} rounded-s-none px-2 text-soft hover:text-ink`}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </span>
  );
}

function Choices({ filter, value, set }: { filter: FilterDescription; value: string; set(value: string): void }) {
  const group = useId();
  const chosen = chosenOf(value);
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-2 font-semibold">{filter.label}</legend>
      {filter.choices?.map(choice => (
        <label key={choice.value} className="flex min-h-8 items-center gap-3 touch-44">
          <input
            type={filter.many ? 'checkbox' : 'radio'}
            name={group}
            className="size-4 accent-ring"
            checked={chosen.includes(choice.value)}
            onChange={({ target }) => set(toggleChoice(value, choice.value, target.checked, filter.many === true))}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}

function TextChoice({ label, value, onApply }: { label: string; value: string; onApply(value: string): void }) {
  const [text, setText] = useState(value);
  return (
    <form
      className="grid gap-3"
      onSubmit={event => {
        event.preventDefault();
        onApply(text.trim());
      }}
    >
      <TextField label={label} value={text} onChange={({ target }) => setText(target.value)} />
      <Button type="submit" look="primary" size="small">
        {t('filter.apply')}
      </Button>
    </form>
  );
}

function FilterChip({ filter }: { filter: FilterDescription }) {
  const [filters, change] = useFilters();
  const value = filters[filter.key];
  const set = (next: string): void => change({ [filter.key]: next === '' ? undefined : next });
  const named = (text: string): string => choiceText(text, filter.choices);
  const shown = value === undefined ? undefined : (filter.show ?? named)(value);
  return (
    <Chip label={filter.label} value={shown} onClear={() => set('')}>
      {close => {
        if (filter.panel) return filter.panel(close);
        if (filter.choices) return <Choices filter={filter} value={value ?? ''} set={set} />;
        const apply = (next: string): void => {
          set(next);
          close();
        };
        return <TextChoice label={filter.label} value={value ?? ''} onApply={apply} />;
      }}
    </Chip>
  );
}

export const rangeText = (range: string): string =>
  isRangeWord(range) ? t(`range.${range}`) : range.replace('..', ' – ').replace(/Z$/, ' UTC');

function CustomDays({ range, onApply }: { range: string; onApply(range: string): void }) {
  const kept = daysOfRange(range);
  const [from, setFrom] = useState(kept.from);
  const [to, setTo] = useState(kept.to);
  return (
    <form
      className="grid gap-3 border-t border-line pt-3"
      onSubmit={event => {
        event.preventDefault();
        const next = rangeOfDays(from, to, new Date());
        if (next !== undefined) onApply(next);
      }}
    >
      <TextField type="date" label={t('range.from')} value={from} max={to} onChange={e => setFrom(e.target.value)} />
      <TextField type="date" label={t('range.to')} value={to} min={from} onChange={e => setTo(e.target.value)} />
      <Button type="submit" size="small" look="primary">
        {t('filter.apply')}
      </Button>
    </form>
  );
}

interface RangePickerProps {
  words?: readonly (RangeWord | Period)[];
  /** The range that applies if nothing is chosen. */
  usual?: RangeWord | Period;
  align?: 'start' | 'end';
}

export function RangePicker({ words = RANGES, usual = 'all', align }: RangePickerProps) {
  const [filters, change] = useFilters();
  const range = filters.range;
  return (
    <Chip
      label={range === undefined && usual !== 'all' ? rangeText(usual) : t('range.label')}
      value={range === undefined ? undefined : rangeText(range)}
      icon={<CalendarDays size={14} aria-hidden />}
      onClear={() => change({ range: undefined })}
      {...(align && { align })}
    >
      {close => (
        <div className="grid gap-3">
          <div className="grid gap-1">
            {words.map(word => (
              <Button
                key={word}
                look="quiet"
                size="small"
                className="justify-start"
                aria-pressed={range === word || (word === usual && range === undefined)}
                onClick={() => {
                  change({ range: word === usual ? undefined : word });
                  close();
                }}
              >
                {t(`range.${word}`)}
              </Button>
            ))}
          </div>
          <CustomDays
            range={range ?? ''}
            onApply={next => {
              change({ range: next });
              close();
            }}
          />
        </div>
      )}
    </Chip>
  );
}

const TYPING_MS = 250;

function SearchBox({ label }: { label: string }) {
  const [filters, change] = useFilters();
  const [text, setText] = useState(filters.q ?? '');
  useEffect(() => setText(filters.q ?? ''), [filters.q]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === (filters.q ?? '')) return;
    const timer = setTimeout(() => change({ q: wanted === '' ? undefined : wanted }, { replace: true }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, filters.q, change]);
  return (
    <div className="relative min-w-0 flex-1 basis-64 md:max-w-[344px] md:basis-[344px]">
      <Search size={16} aria-hidden className="absolute top-1/2 left-3 -translate-y-1/2 text-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="h-8 w-full rounded-md border border-line bg-surface pr-2 pl-9 text-ellipsis touch-44 hover:border-edge"
      />
    </div>
  );
}

interface FilterBarProps {
  search?: string;
  filters: readonly FilterDescription[];
  ranged?: boolean;
}

export function FilterBar({ search, filters, ranged = false }: FilterBarProps) {
  const [current, change] = useFilters();
  const set = [...filters.map(({ key }) => key), ...(ranged ? ['range'] : []), 'q'].filter(key => current[key]);
  const none: Filters = Object.fromEntries(set.map(key => [key, undefined]));
  return (
    <div className="flex flex-wrap items-center gap-2 pb-4">
      {search && <SearchBox label={search} />}
      <div className="-mx-4 flex items-center gap-2 px-4 empty:hidden max-md:max-w-[100vw] max-md:overflow-x-auto md:contents">
        {ranged && <RangePicker />}
        {filters.map(filter => (
          <FilterChip key={filter.key} filter={filter} />
        ))}
        {set.length > 1 && (
          <Button look="quiet" size="small" onClick={() => change(none)}>
            {t('filter.clearAll')}
          </Button>
        )}
      </div>
    </div>
  );
}
