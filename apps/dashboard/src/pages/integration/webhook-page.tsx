import type { DashboardWebhook } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { CirclePause, TriangleAlert } from 'lucide-react';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Time } from '../../ui/cells.tsx';
import { CopyId } from '../../ui/code-block.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { Fact, Facts, Notice, Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { CheckSignature } from './check-signature.tsx';
import { DeliveriesList, EndpointNotice } from './deliveries-page.tsx';
import { DeliveryCharts } from './delivery-charts.tsx';
import { eventName } from './event-text.ts';
import { WebhookActions } from './webhook-actions.tsx';

const WebhookFacts = ({ webhook }: { webhook: DashboardWebhook }) => (
  <Section title={t('transaction.facts')}>
    <Facts>
      <Fact name={t('webhooks.url')}>
        <CopyId id={webhook.url} label={t('webhooks.url')} />
      </Fact>
      <Fact name={t('webhooks.events')}>
        <ul className="flex flex-wrap gap-1">
          {webhook.events.map(kind => (
            <li key={kind} className="rounded-full bg-sunk px-2.5 py-0.5 text-12">
              {eventName(kind)}
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name={t('webhooks.secret')}>
        <code className="font-mono text-12">{webhook.secret}</code>{' '}
        <span className="text-soft">
          {t(webhook.secret_source === 's2s_key' ? 'webhooks.secretIsKey' : 'webhooks.secretOwn')}
        </span>
      </Fact>
      {webhook.previous_secret_until !== null && (
        <Fact name={t('webhooks.secretPrevious')}>
          <Time at={webhook.previous_secret_until} />
        </Fact>
      )}
      <Fact name={t('column.created')}>
        <Time at={webhook.created_at} />
      </Fact>
    </Facts>
  </Section>
);

export function WebhookPage() {
  const scope = useEnv();
  const { may } = useCurrentGame();
  const { webhookId = '' } = useParams({ strict: false }) as { webhookId?: string };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}', {
    params: { ...scope, webhook_id: webhookId },
  });
  const list = useRead('GET /dashboard/api/games/{game_id}/{mode}/webhooks', { params: scope });
  if (read.isError || !read.data) return <LoadingOrProblem read={read} />;
  const webhook = read.data;
  return (
    <Page
      title={new URL(webhook.url).host}
      badge={<Status kind="other" status={webhook.enabled ? 'enabled' : 'disabled'} />}
      about={webhook.description || undefined}
      back={{ to: 'integration/webhooks', label: t('nav.webhooks') }}
      actions={list.data && <WebhookActions webhook={webhook} classes={list.data.event_classes} />}
    >
      {!webhook.enabled && (
        <div className="pb-6">
          <Notice
            tone="warn"
            icon={
              webhook.disabled_reason ? <TriangleAlert size={16} aria-hidden /> : <CirclePause size={16} aria-hidden />
            }
          >
            {webhook.disabled_reason ? `${webhook.disabled_reason} ` : ''}
            {t('webhooks.holds')}
          </Notice>
        </div>
      )}
      <EndpointNotice webhook={webhook} />
      <WebhookFacts webhook={webhook} />
      <div className="border-t border-line py-6">
        <DeliveryCharts webhookId={webhook.id} />
      </div>
      {may('checkSignature') && <CheckSignature webhookId={webhook.id} />}
      <Section title={t('nav.deliveries')}>
        <DeliveriesList webhookId={webhook.id} />
      </Section>
    </Page>
  );
}
