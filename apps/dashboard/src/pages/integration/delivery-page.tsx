import type { DeliveryAttempt } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { CircleCheck, CircleX, RefreshCw } from 'lucide-react';
import { call } from '../../kit/api.ts';
import { formatDuration, prettyText } from '../../kit/format.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dash, Due, Time } from '../../ui/cells.tsx';
import { CodeBlock, CopyId } from '../../ui/code-block.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { Fact, Facts, Page, Section } from '../../ui/page.tsx';
import { DeliveryStatus } from '../../ui/status.tsx';
import { eventName, headerText, isSuccess } from './event-text.ts';

function Attempt({ attempt, isLast }: { attempt: DeliveryAttempt; isLast: boolean }) {
  const isGood = isSuccess(attempt.status);
  const { request, response } = attempt;
  return (
    <details open={isLast} className="group border-b border-line first:border-t">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-2 touch-44">
        {isGood ? (
          <CircleCheck size={18} aria-hidden className="text-good" />
        ) : (
          <CircleX size={18} aria-hidden className="text-bad" />
        )}
        <span className="font-semibold">{t('delivery.attempt', { number: attempt.attempt })}</span>
        <span className={isGood ? '' : 'text-bad'}>
          {attempt.status === null ? t('timeline.noAnswer') : `HTTP ${attempt.status}`}
        </span>
        {attempt.error && attempt.error !== `answered ${attempt.status}` && (
          <span className="min-w-0 text-soft">{attempt.error}</span>
        )}
        <span className="ml-auto text-soft">
          {formatDuration(language, attempt.duration_ms)} · <Time at={attempt.time} />
        </span>
      </summary>
      <div className="grid gap-6 pt-2 pb-6 lg:grid-cols-2">
        <div className="grid min-w-0 content-start gap-2">
          <h3 className="font-semibold">{t('delivery.request')}</h3>
          <p className="font-mono text-12">POST {request.url}</p>
          <CodeBlock text={headerText(request.headers)} label={t('delivery.requestHeaders')} />
          {request.body !== null && <CodeBlock text={prettyText(request.body)} label={t('delivery.requestBody')} />}
        </div>
        <div className="grid min-w-0 content-start gap-2">
          <h3 className="font-semibold">{t('delivery.response')}</h3>
          {response === null && <p className="text-soft">{t('delivery.noResponse')}</p>}
          {response && (
            <>
              <CodeBlock text={headerText(response.headers)} label={t('delivery.responseHeaders')} />
              {response.body !== null && response.body !== '' && (
                <CodeBlock text={prettyText(response.body)} label={t('delivery.responseBody')} />
              )}
            </>
          )}
        </div>
      </div>
    </details>
  );
}

export function DeliveryPage() {
  const scope = useEnv();
  const { deliveryId = '' } = useParams({ strict: false }) as { deliveryId?: string };
  const params = { ...scope, delivery_id: deliveryId };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/deliveries/{delivery_id}', { params });
  const retry = useAction(
    () => call('POST /dashboard/api/games/{game_id}/{mode}/deliveries/{delivery_id}/retry', { params }),
    { done: () => t('delivery.retried') },
  );
  if (read.isError || !read.data) return <LoadingOrProblem read={read} />;
  const delivery = read.data;
  const attempts = delivery.attempts.toReversed();
  return (
    <Page
      title={eventName(delivery.event_type)}
      badge={<DeliveryStatus {...delivery} />}
      back={{ to: 'integration/deliveries', label: t('nav.deliveries') }}
      actions={
        delivery.actions.includes('retry') && (
          <Button icon={<RefreshCw size={16} aria-hidden />} busy={retry.isPending} onClick={() => retry.mutate()}>
            {t('delivery.retry')}
          </Button>
        )
      }
    >
      <Section title={t('transaction.facts')}>
        <Facts>
          <Fact name={t('webhooks.url')}>{delivery.webhook_url ?? <Dash />}</Fact>
          {delivery.order_id && (
            <Fact name={t('column.order')}>
              <EnvLink to="orders/$orderId" params={{ orderId: delivery.order_id }}>
                {delivery.order_id}
              </EnvLink>
            </Fact>
          )}
          <Fact name={t('delivery.key')}>
            <CopyId id={delivery.idempotency_key} label={t('delivery.key')} />
          </Fact>
          <Fact name={t('column.created')}>
            <Time at={delivery.created_at} />
          </Fact>
          {delivery.next_attempt_at !== null && (
            <Fact name={t('grants.next')}>
              <Due at={delivery.next_attempt_at} />
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={t('delivery.attempts')}>
        {attempts.length === 0 && (
          <p className="text-soft">{t(delivery.attempts_made > 0 ? 'delivery.noLog' : 'delivery.notSent')}</p>
        )}
        {attempts.map((attempt, index) => (
          <Attempt key={attempt.attempt} attempt={attempt} isLast={index === 0} />
        ))}
      </Section>
      {delivery.body && (
        <Section title={t('delivery.body')} about={t('delivery.bodyAbout')}>
          <CodeBlock text={prettyText(delivery.body)} label={t('delivery.body')} tall />
        </Section>
      )}
    </Page>
  );
}
