import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { formatNumber } from '../../kit/format.ts';
import { problemText } from '../../kit/problems.ts';
import { secondsOf } from '../../kit/times.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { Bar } from '../../ui/loading.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { replaySpan } from './webhook-form.ts';

interface Span {
  since: number;
  until: number;
}

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
        className="h-2 w-full"
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
  const wanted = (): Span | null => replaySpan(secondsOf(since), secondsOf(until), Math.floor(Date.now() / 1_000));
  const replay = useAction(
    (asked: Span) =>
      call('POST /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/replay', {
        params,
        body: { ...asked, only_failed: onlyFailed },
      }),
    {
      quiet: true,
      done: ({ replayed }) => t('replay.done', { count: replayed }),
      after: (_answer, asked) => setSpan(asked),
    },
  );
  return (
    <Dialog
      title={t('webhooks.replay')}
      onClose={onClose}
      onSubmit={() => {
        const asked = wanted();
        if (asked && !span) replay.mutate(asked);
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
