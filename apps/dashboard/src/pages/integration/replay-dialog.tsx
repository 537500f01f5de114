import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { language, t } from '../../kit/texts.ts';
import { useAct, useRead } from '../../kit/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useEnv } from '../../ui/env-link.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { Bar } from '../../ui/skeleton.tsx';
import { problemText } from '../../ui/toast.tsx';

const secondsOf = (text: string): number => Math.floor(new Date(text).getTime() / 1_000);

interface Span {
  since: number;
  until: number;
}

/** Long work: the counts are read again until nothing waits. */
function Progress({ webhookId, span }: { webhookId: string; span: Span }) {
  const params = { ...useEnv(), webhook_id: webhookId };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/replay', {
    params,
    query: span,
  });
  const progress = read.data;
  if (!progress) return <Bar className="w-full" />;
  const done = progress.total - progress.waiting;
  return (
    <div className="grid gap-3">
      <progress
        aria-label={t('replay.progress')}
        value={done}
        max={Math.max(1, progress.total)}
        className="h-2 w-full accent-good"
      />
      <p>
        {t('replay.counts', {
          done: formatNumber(language, done),
          total: `${formatNumber(language, progress.total)}${progress.is_capped ? '+' : ''}`,
          failed: formatNumber(language, progress.failed),
        })}
      </p>
    </div>
  );
}

interface SpanFieldsProps {
  since: string;
  setSince(text: string): void;
  until: string;
  setUntil(text: string): void;
}

const SpanFields = ({ since, setSince, until, setUntil }: SpanFieldsProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      type="datetime-local"
      label={t('range.from')}
      value={since}
      onChange={({ target }) => setSince(target.value)}
    />
    <TextField
      type="datetime-local"
      label={t('range.to')}
      hint={t('replay.untilHint')}
      value={until}
      min={since}
      onChange={({ target }) => setUntil(target.value)}
    />
  </div>
);

export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose(): void }) {
  const params = { ...useEnv(), webhook_id: webhookId };
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const [onlyFailed, setOnlyFailed] = useState(true);
  const [span, setSpan] = useState<Span | null>(null);
  const wanted = (): Span => ({
    since: secondsOf(since),
    until: until === '' ? Math.floor(Date.now() / 1_000) : secondsOf(until),
  });
  const replay = useAct(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/replay', {
        params,
        body: { ...wanted(), only_failed: onlyFailed },
      }),
    {
      quiet: true,
      done: ({ replayed }) => t('replay.done', { count: replayed }),
      after: () => setSpan(wanted()),
    },
  );
  return (
    <Dialog
      title={t('webhooks.replay')}
      onClose={onClose}
      onSubmit={() => {
        if (since !== '' && !span) replay.mutate();
      }}
      actions={
        span ? (
          <Button onClick={onClose}>{t('dialog.done')}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('dialog.cancel')}</Button>
            <Button type="submit" look="primary" disabled={since === ''} busy={replay.isPending}>
              {t('replay.do')}
            </Button>
          </>
        )
      }
    >
      {span ? (
        <Progress webhookId={webhookId} span={span} />
      ) : (
        <div className="grid gap-4">
          <p className="text-soft">{t('replay.about')}</p>
          <SpanFields {...{ since, setSince, until, setUntil }} />
          <Check
            label={t('replay.onlyFailed')}
            checked={onlyFailed}
            onChange={({ target }) => setOnlyFailed(target.checked)}
          />
          <FormProblem text={replay.error ? problemText(replay.error) : undefined} />
        </div>
      )}
    </Dialog>
  );
}
