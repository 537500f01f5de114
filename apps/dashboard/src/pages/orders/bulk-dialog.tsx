import type { BulkAction, BulkPreview } from '@coinslot/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { ListChecks, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { call, type RequestOf } from '../../kit/api.ts';
import { formatMoney } from '../../kit/money.ts';
import { type Problem, problemText } from '../../kit/problems.ts';
import { useIsBySso } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import type { Selection } from '../../ui/list/selection.tsx';
import { Bar, ReadProblem } from '../../ui/loading.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { ProofFields } from '../../ui/overlay/passkey-button.tsx';
import { Notice } from '../../ui/page.tsx';
import { RefusedOrders } from './bulk-progress.tsx';

const BULK_ACTIONS = ['retry', 'release', 'refund'] as const satisfies readonly BulkAction[];

type BulkQuery = Omit<RequestOf<'GET /dashboard/api/games/{game_id}/{mode}/bulk/preview'>['query'], 'action'>;

/** Shows how many orders and how much money are affected, and which orders are left out and why. */
function Effects({ preview }: { preview: BulkPreview }) {
  const { action, amounts } = preview;
  return (
    <div className="grid gap-3" role="status">
      <p className="text-16 font-semibold">{t(`bulk.count.${action}`, { count: preview.order_ids.length })}</p>
      {amounts.length > 0 && (
        <ul className="grid gap-1">
          {amounts.map(({ currency, count, amount }) => (
            <li key={currency} className="flex justify-between gap-4">
              <span className="text-soft">{t('bulk.orders', { count })}</span>
              <span className="whitespace-nowrap">{formatMoney(language, amount, currency)}</span>
            </li>
          ))}
        </ul>
      )}
      {preview.is_capped && (
        <Notice tone="warn" icon={<TriangleAlert size={16} aria-hidden />}>
          {t('bulk.capped')}
        </Notice>
      )}
      <RefusedOrders
        count={preview.refused_count}
        orders={preview.refused}
        title={t('bulk.leftOut', { count: preview.refused_count })}
      />
    </div>
  );
}

const ActionChoice = ({ action, onChange }: { action: BulkAction; onChange(action: BulkAction): void }) => (
  <fieldset className="grid gap-1">
    <legend className="pb-2 font-semibold">{t('bulk.action')}</legend>
    {BULK_ACTIONS.map(one => (
      <label key={one} className="flex min-h-8 items-center gap-3 touch-44">
        <input
          type="radio"
          name="bulk-action"
          className="size-4 accent-ring"
          checked={action === one}
          onChange={() => onChange(one)}
        />
        {t(`bulk.action.${one}`)}
      </label>
    ))}
  </fieldset>
);

const Preview = ({ preview }: { preview: UseQueryResult<BulkPreview, Problem> }) =>
  preview.isError ? (
    <ReadProblem error={preview.error} retry={() => void preview.refetch()} />
  ) : preview.data ? (
    <Effects preview={preview.data} />
  ) : (
    <Bar className="w-full" />
  );

interface BulkDialogProps {
  /** The list's filters, or the orders that were chosen. */
  query: BulkQuery;
  onClose(hasStarted: boolean): void;
}

/** Acts on the rows that are chosen. */
export const BulkButton = ({ onClick }: { onClick(): void }) => (
  <Button size="small" look="primary" icon={<ListChecks size={14} aria-hidden />} onClick={onClick}>
    {t('bulk.title')}
  </Button>
);

/**
 * Acts on every order that the list's filters match, or that was chosen. It shows the effects first, then asks for a reason, and names the
 * action on the button.
 */
function BulkDialog({ query, onClose }: BulkDialogProps) {
  const params = useEnv();
  const [action, setAction] = useState<BulkAction>('retry');
  const [reason, setReason] = useState('');
  const [password, setPassword] = useState('');
  const [wasEmpty, setWasEmpty] = useState(false);
  const preview = useRead('GET /dashboard/api/games/{game_id}/{mode}/bulk/preview', {
    params,
    query: { ...query, action },
  });
  const needsProof = !useIsBySso() && params.mode === 'live' && action !== 'retry';
  const start = useAction(
    (proof: { password?: string; answer?: Record<string, unknown> }) =>
      call('POST /dashboard/api/games/{game_id}/{mode}/bulk', {
        params,
        body: { action, order_ids: preview.data?.order_ids ?? [], reason: reason.trim(), ...proof },
      }),
    {
      quiet: true,
      done: () => t('bulk.started'),
      after: () => onClose(true),
    },
  );
  const count = preview.data?.order_ids.length ?? 0;
  const begin = (): void => {
    if (reason.trim() === '') setWasEmpty(true);
    else start.mutate(password === '' ? {} : { password });
  };
  return (
    <Dialog
      title={t('bulk.title')}
      onClose={() => onClose(false)}
      onSubmit={begin}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{t('dialog.cancel')}</Button>
          <Button
            type="submit"
            look={action === 'retry' ? 'primary' : 'danger'}
            busy={start.isPending}
            disabled={count === 0 || (needsProof && password === '')}
          >
            {t(`bulk.do.${action}`, { count })}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <p className="text-soft">{t(query.order_ids === undefined ? 'bulk.about' : 'bulk.aboutChosen')}</p>
        <ActionChoice action={action} onChange={setAction} />
        <Preview preview={preview} />
        <TextField
          label={t('bulk.reason')}
          maxLength={500}
          value={reason}
          error={wasEmpty && reason.trim() === '' ? t('dialog.reasonNeeded') : undefined}
          onChange={({ target }) => setReason(target.value)}
        />
        {needsProof && (
          <ProofFields
            {...{ password, setPassword }}
            isBusy={start.isPending}
            onPasskey={answer => start.mutate({ answer })}
          />
        )}
        <FormProblem text={start.error ? problemText(start.error) : undefined} />
      </div>
    </Dialog>
  );
}

/** Opens the dialog, and lets go of the chosen rows once their run has begun. */
export function useBulk({ clear }: Selection): [(query: BulkQuery) => void, ReactNode] {
  const [query, setQuery] = useState<BulkQuery>();
  const onClose = (hasStarted: boolean): void => {
    setQuery(undefined);
    if (hasStarted) clear();
  };
  return [setQuery, query && <BulkDialog query={query} onClose={onClose} />];
}
