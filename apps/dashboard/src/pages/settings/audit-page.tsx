import type { AuditLine } from '@coinslot/contract';
import { History } from 'lucide-react';
import { useMemo, useState } from 'react';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { memberName, prettyJson } from '../../kit/format.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { spanOf } from '../../kit/times.ts';
import { useRead } from '../../kit/use-read.ts';
import { t, tryText } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Code, Dash, Time } from '../../ui/cells.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/list/data-table.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Fact, Facts, Page } from '../../ui/page.tsx';
import { changeText } from './audit-change.ts';

export const auditText = (kind: string): string => tryText(`audit.${kind}`) ?? kind;

const columns = (open: (line: AuditLine) => void): Column<AuditLine>[] => [
  {
    id: 'what',
    title: t('audit.what'),
    lead: true,
    grow: true,
    card: 'title',
    cell: line => (
      <button type="button" className="text-start font-medium hover:underline touch-44" onClick={() => open(line)}>
        {auditText(line.kind)}
        <span className="block truncate font-normal text-12 text-soft max-md:whitespace-normal">
          {changeText(line)}
        </span>
      </button>
    ),
  },
  { id: 'who', title: t('audit.who'), card: 'below', cell: ({ actor }) => actor },
  {
    id: 'mode',
    title: t('audit.where'),
    card: 'below',
    cell: ({ mode }) => (mode ? t(mode === 'live' ? 'mode.live' : 'mode.sandbox') : <Dash />),
  },
  {
    id: 'object',
    title: t('audit.object'),
    cell: ({ object_id }) => (object_id ? <Code>{object_id}</Code> : <Dash />),
  },
  {
    id: 'time',
    title: t('column.time'),
    align: 'end',
    card: 'corner',
    cell: ({ created_at }) => <Time at={created_at} className="text-soft" />,
  },
];

const AuditDialog = ({ line, onClose }: { line: AuditLine; onClose(): void }) => (
  <Dialog
    wide
    title={auditText(line.kind)}
    onClose={onClose}
    actions={<Button onClick={onClose}>{t('dialog.done')}</Button>}
  >
    <div className="grid gap-5">
      <Facts>
        <Fact name={t('audit.who')}>{line.actor}</Fact>
        <Fact name={t('column.time')}>
          <Time at={line.created_at} />
        </Fact>
        {line.object_id && (
          <Fact name={t('audit.object')}>
            <Code>{line.object_id}</Code>
          </Fact>
        )}
        {line.ip && (
          <Fact name={t('audit.ip')}>
            <Code>{line.ip}</Code>
          </Fact>
        )}
      </Facts>
      <div className="grid gap-4 md:grid-cols-2">
        {line.before && (
          <div className="grid min-w-0 gap-2">
            <h3 className="font-semibold">{t('audit.before')}</h3>
            <CodeBlock text={prettyJson(line.before)} label={t('audit.before')} />
          </div>
        )}
        {line.after && (
          <div className="grid min-w-0 gap-2">
            <h3 className="font-semibold">{t('audit.after')}</h3>
            <CodeBlock text={prettyJson(line.after)} label={t('audit.after')} />
          </div>
        )}
      </div>
    </div>
  </Dialog>
);

export function AuditPage() {
  const { company_id } = useCurrentGame();
  const params = { company_id };
  const [filters] = useFilters();
  const [line, setLine] = useState<AuditLine | null>(null);
  const members = useRead('GET /dashboard/api/companies/{company_id}/members', { params });
  const span = useMemo(() => spanOf(filters.range, new Date()), [filters.range]);
  const query = { ...pageQuery(filters, 'user_id', 'kind'), ...span };
  const page = useRead('GET /dashboard/api/companies/{company_id}/audit', { params, query }, { keep: true });
  const all = useMemo(() => columns(setLine), []);
  return (
    <Page title={t('nav.audit')} about={t('audit.about')}>
      <FilterBar
        ranged
        filters={[
          {
            key: 'user_id',
            label: t('audit.who'),
            choices: (members.data?.data ?? []).map(one => ({ value: one.user_id, label: memberName(one) })),
          },
          {
            key: 'kind',
            label: t('audit.what'),
            choices: ['webhook', 'key', 'order', 'member', 'invitation', 'game', 'company', 'user', 'item'].map(
              value => ({
                value,
                label: tryText(`audit.group.${value}`) ?? value,
              }),
            ),
          },
        ]}
      />
      <ListView
        label={t('nav.audit')}
        page={page}
        columns={all}
        idOf={({ id }) => id}
        filterKeys={['user_id', 'kind', 'range']}
        empty={<EmptyState picture={<History size={24} />} title={t('audit.empty')} />}
      />
      {line && <AuditDialog line={line} onClose={() => setLine(null)} />}
    </Page>
  );
}
