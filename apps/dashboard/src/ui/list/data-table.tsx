import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useIsPhone } from '../../kit/use-media.ts';
import { EnvLink } from '../env-link.tsx';
import { Bar, Loading } from '../loading.tsx';
import { stepIndex } from '../step-index.ts';
import { ChooseAll, chooseByKey, type Selection, useChoose } from './selection.tsx';

export interface Column<Row> {
  id: string;
  title: string;
  cell(row: Row): ReactNode;
  align?: 'end';
  /** Where the value stands on a phone's card. Without it, the card leaves the value out. */
  card?: 'title' | 'side' | 'below' | 'corner';
  /** Replaces the cell on a card, where no heading explains it. */
  cardCell?(row: Row): ReactNode;
  /** Hidden until the member shows the column. */
  extra?: boolean;
  /** Holds the row's link and cannot be hidden. */
  lead?: boolean;
  /** Takes up the remaining width. */
  grow?: boolean;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  idOf(row: Row): string;
  linkOf?(row: Row): { to: string; params?: Record<string, string> };
  /** The link's accessible name, which starts with its visible text. */
  nameOf?(row: Row): string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** Highlights rows that arrive while the page is open. */
  isNew?(id: string): boolean;
  skeletonRows?: number;
  /** Gives each row a box. */
  selection?: Selection;
}

/** Arrow keys move from row to row; Enter opens the row's link, x chooses the row. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  chooseByKey(event);
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? undefined : stepIndex(event.key, at, links.length, 'stop');
  if (next === undefined) return;
  event.preventDefault();
  links[next]?.focus();
}

const ROW_LINK =
  'font-medium text-ink outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring focus-visible:after:rounded-sm';

interface LeadProps<Row> extends Pick<DataTableProps<Row>, 'linkOf' | 'nameOf'> {
  row: Row;
  column: Column<Row>;
}

function Lead<Row>({ row, column, linkOf, nameOf }: LeadProps<Row>) {
  if (!linkOf) return column.cell(row);
  const { to, params } = linkOf(row);
  return (
    <EnvLink
      to={to}
      {...(params && { params })}
      className={ROW_LINK}
      data-row=""
      {...(nameOf && { 'aria-label': nameOf(row) })}
    >
      {column.cell(row)}
    </EnvLink>
  );
}

const NONE: Selection = { ids: new Set(), change: () => undefined, clear: () => undefined };

/** Draws the box of a row; nothing where rows cannot be chosen. */
function useBoxes<Row>({ rows = [], idOf, nameOf, selection }: DataTableProps<Row>) {
  const ids = rows.map(idOf);
  const choose = useChoose({ selection: selection ?? NONE, ids });
  return {
    ids,
    box: (row: Row): ReactNode => selection && choose(idOf(row), nameOf?.(row) ?? idOf(row)),
  };
}

function WideTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, idOf, linkOf, nameOf, isNew, skeletonRows = 8, selection } = props;
  const { ids, box } = useBoxes(props);
  const edge = 'px-3 first:pl-0 last:pr-0';
  return (
    <table className="w-full border-separate border-spacing-0" aria-label={label} aria-busy={rows === undefined}>
      <thead>
        <tr>
          {selection && (
            <th
              scope="col"
              className="sticky top-(--bar) z-10 h-9 w-px border-b border-line bg-surface pr-2 text-center whitespace-nowrap"
            >
              <ChooseAll selection={selection} ids={ids} />
            </th>
          )}
          {columns.map(({ id, title, align, grow, lead }) => (
            <th
              key={id}
              scope="col"
              className={`sticky top-(--bar) z-10 h-9 border-b border-line bg-surface text-12 font-medium text-soft ${edge} ${align ? 'text-end' : 'text-start'} ${grow ? 'w-full' : 'whitespace-nowrap'} ${lead && align ? 'w-px' : ''}`}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows
          ? rows.map(row => (
              <tr
                key={idOf(row)}
                className={`relative ${selection?.ids.has(idOf(row)) ? 'bg-chosen' : linkOf ? 'hover:bg-ground' : ''} ${isNew?.(idOf(row)) ? 'arrive' : ''}`}
              >
                {selection && <td className="h-11 w-px border-b border-line pr-2">{box(row)}</td>}
                {columns.map(column => (
                  <td
                    key={column.id}
                    onPointerEnter={column.grow ? titleIfCut : undefined}
                    className={`h-11 border-b border-line py-1.5 ${edge} ${column.align ? 'text-end' : ''} ${column.grow ? 'max-w-0 min-w-40 truncate' : 'whitespace-nowrap'}`}
                  >
                    {column.lead ? (
                      <Lead {...{ row, column }} {...(linkOf && { linkOf })} {...(nameOf && { nameOf })} />
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            ))
          : Array.from({ length: skeletonRows }, (_, row) => (
              <tr key={row}>
                {selection && <td className="h-11 w-px border-b border-line" />}
                {columns.map(({ id, align }, at) => (
                  <td key={id} className={`h-11 border-b border-line ${edge}`}>
                    <Bar className={`${(row + at) % 3 === 0 ? 'w-16' : 'w-24'} ${align ? 'ml-auto' : ''}`} />
                  </td>
                ))}
              </tr>
            ))}
      </tbody>
    </table>
  );
}

function Cards<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, idOf, linkOf, nameOf, isNew, selection } = props;
  const { box } = useBoxes(props);
  const at = (card: Column<Row>['card']): Column<Row>[] => columns.filter(column => column.card === card);
  const show = (row: Row, column: Column<Row>): ReactNode =>
    column.lead ? (
      <Lead {...{ row, column }} {...(linkOf && { linkOf })} {...(nameOf && { nameOf })} />
    ) : (
      (column.cardCell ?? column.cell)(row)
    );
  const group = (row: Row, card: Column<Row>['card']): ReactNode =>
    at(card).map(column => <span key={column.id}>{show(row, column)}</span>);
  if (!rows) {
    return (
      <div className="grid gap-px">
        {[1, 2, 3, 4, 5].map(one => (
          <div key={one} className="grid h-[72px] content-center gap-3 border-b border-line">
            <Bar className="w-2/3" />
            <Bar className="w-1/3" />
          </div>
        ))}
      </div>
    );
  }
  // A card has no headings, so a dash would not say what is missing.
  return (
    <ul aria-label={label} className="-mx-4 border-t border-line [&_[data-missing]]:hidden">
      {rows.map(row => (
        <li
          key={idOf(row)}
          className={`relative grid min-h-[68px] content-center gap-x-4 gap-y-1.5 border-b border-line py-3 active:bg-sunk ${selection ? 'grid-cols-[auto_1fr_auto] ps-2 pe-4' : 'grid-cols-[1fr_auto] px-4'} ${selection?.ids.has(idOf(row)) ? 'bg-chosen' : ''} ${isNew?.(idOf(row)) ? 'arrive' : ''}`}
        >
          {selection && <div className="row-span-2 -me-2 grid w-9 place-items-center">{box(row)}</div>}
          <div className="min-w-0 font-medium">{group(row, 'title')}</div>
          <div className="text-end font-semibold">{group(row, 'side')}</div>
          <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-soft [&>:has(>[data-missing])]:hidden">
            {group(row, 'below')}
          </div>
          <div className="self-end text-end text-12 leading-6 text-faint">{group(row, 'corner')}</div>
        </li>
      ))}
    </ul>
  );
}

/** A cell that ends with "…" says the whole text under the pointer. */
function titleIfCut({ currentTarget: cell }: PointerEvent<HTMLElement>): void {
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? '';
}

/** With more columns than this, the table scrolls sideways and its head no longer sticks to the top. */
const WIDE = 8;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const isPhone = useIsPhone();
  const box = useRef<HTMLDivElement>(null);
  if (props.rows?.length === 0) return props.empty;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the links inside
    <div
      ref={box}
      onKeyDown={moveFocus}
      className={props.columns.length > WIDE ? 'overflow-x-auto' : 'max-lg:overflow-x-auto'}
    >
      {props.rows === undefined && <Loading />}
      {isPhone ? <Cards {...props} /> : <WideTable {...props} />}
    </div>
  );
}
