import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { t, tryText } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Notice, Section } from '../../ui/page.tsx';

/** Takes a pasted request and says exactly what is wrong with its signature. */
export function CheckSignature({ webhookId }: { webhookId: string }) {
  const params = { ...useEnv(), webhook_id: webhookId };
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const check = useAction(() =>
    call('POST /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/check_signature', {
      params,
      body: { headers, body },
    }),
  );
  const verdict = check.data;
  return (
    <Section title={t('signature.title')} about={t('signature.about')}>
      <form
        className="grid gap-4 lg:grid-cols-2"
        onSubmit={event => {
          event.preventDefault();
          check.mutate();
        }}
      >
        <TextArea
          label={t('signature.headers')}
          placeholder={'x-service-signature-timestamp: 1767225600\nx-service-signature: 5257a8…'}
          rows={5}
          className="font-mono text-12"
          spellCheck={false}
          value={headers}
          onChange={({ target }) => setHeaders(target.value)}
        />
        <TextArea
          label={t('signature.body')}
          placeholder={'{"event_type":"item.add",…'}
          rows={5}
          className="font-mono text-12"
          spellCheck={false}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
        <div className="lg:col-span-2">
          <Button type="submit" busy={check.isPending} disabled={headers.trim() === ''}>
            {t('signature.do')}
          </Button>
        </div>
      </form>
      {verdict && (
        <div className="grid gap-3 pt-4" role="status">
          <Notice
            tone={verdict.is_valid ? 'good' : 'bad'}
            icon={verdict.is_valid ? <CircleCheck size={16} aria-hidden /> : <CircleX size={16} aria-hidden />}
          >
            {tryText(`signature.verdict.${verdict.verdict}`) ?? verdict.message}
            {verdict.is_old && ` ${t('signature.old')}`}
          </Notice>
          {!verdict.is_valid && verdict.expected_signature && (
            <div className="grid gap-2">
              <p className="text-soft">{t('signature.expected')}</p>
              <CodeBlock text={verdict.expected_signature} label={t('signature.expected')} />
            </div>
          )}
          {verdict.delivery_id && (
            <EnvLink to="integration/deliveries/$deliveryId" params={{ deliveryId: verdict.delivery_id }}>
              {t('timeline.delivery')}
            </EnvLink>
          )}
        </div>
      )}
    </Section>
  );
}
