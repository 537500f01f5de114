import type { DashboardWebhook } from '@coinslot/contract';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import { type AnswerOf, call } from '../../kit/api.ts';
import { issueOf, otherProblem } from '../../kit/problems.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { t, tryText } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { eventName } from './event-text.ts';
import { missingWebhookFields, toggleEvent, type WebhookForm, webhookForm, webhookInput } from './webhook-form.ts';

export type EventClasses = AnswerOf<'GET /dashboard/api/games/{game_id}/{mode}/webhooks'>['event_classes'];

interface SelectEventsProps {
  classes: EventClasses;
  selected: readonly string[];
  onApply(events: string[]): void;
  onClose(): void;
}

function SelectEvents({ classes, selected, onApply, onClose }: SelectEventsProps) {
  const [chosen, setChosen] = useState<readonly string[]>(selected);
  const toggle = (kind: string, on: boolean): void => setChosen(toggleEvent(chosen, kind, on));
  return (
    <Dialog
      title={t('webhooks.selectEvents')}
      onClose={onClose}
      onSubmit={() => onApply([...chosen])}
      actions={
        <>
          <span className="mr-auto self-center text-soft">{t('webhooks.selected', { count: chosen.length })}</span>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary">
            {t('webhooks.apply')}
          </Button>
        </>
      }
    >
      <div className="grid gap-6">
        {classes.map(({ name, kinds }) => (
          <fieldset key={name} className="grid gap-2">
            <legend className="font-semibold">{tryText(`webhooks.class.${name}`) ?? name}</legend>
            <p className="-mt-1 text-soft">{tryText(`webhooks.classAbout.${name}`)}</p>
            <div className="grid gap-2 sm:grid-cols-2">
              {kinds.map(({ kind }) => (
                <Check
                  key={kind}
                  label={
                    <>
                      {eventName(kind)} <code className="block font-mono text-12 text-faint">{kind}</code>
                    </>
                  }
                  aria-label={eventName(kind)}
                  checked={chosen.includes(kind)}
                  onChange={({ target }) => toggle(kind, target.checked)}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </Dialog>
  );
}

const EventChoice = ({ events, error, onOpen }: { events: readonly string[]; error?: string; onOpen(): void }) => (
  <div>
    <p className="pb-1 font-semibold">{t('webhooks.events')}</p>
    {events.length > 0 && (
      <ul className="flex flex-wrap gap-1 pb-3">
        {events.map(kind => (
          <li key={kind} className="rounded-full bg-sunk px-2.5 py-0.5 text-12">
            {eventName(kind)}
          </li>
        ))}
      </ul>
    )}
    <Button icon={<ListChecks size={16} aria-hidden />} onClick={onOpen}>
      {t('webhooks.selectEvents')}
    </Button>
    <FormProblem text={error} />
  </div>
);

interface WebhookDialogProps {
  /** Null to add a new webhook. */
  webhook: DashboardWebhook | null;
  classes: EventClasses;
  onSaved?(webhook: DashboardWebhook): void;
  onClose(): void;
}

export function WebhookDialog({ webhook, classes, onSaved, onClose }: WebhookDialogProps) {
  const scope = useEnv();
  const kinds = classes.flatMap(one => one.kinds.map(({ kind }) => kind));
  const [form, setForm] = useState(() => webhookForm(webhook, kinds));
  const [isSelecting, setSelecting] = useState(false);
  const [wasTried, setTried] = useState(false);
  const set = (patch: Partial<WebhookForm>): void => setForm(before => ({ ...before, ...patch }));
  const save = useAction(
    () => {
      const body = webhookInput(form);
      return webhook
        ? call('PATCH /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}', {
            params: { ...scope, webhook_id: webhook.id },
            body,
          })
        : call('POST /dashboard/api/games/{game_id}/{mode}/webhooks', { params: scope, body });
    },
    {
      quiet: true,
      done: ({ warnings = [] }) =>
        t(warnings.length > 0 ? 'webhooks.bothItemKinds' : webhook ? 'webhooks.changed' : 'webhooks.added'),
      after: saved => {
        onClose();
        onSaved?.(saved);
      },
    },
  );
  if (isSelecting) {
    return (
      <SelectEvents
        classes={classes}
        selected={form.events}
        onApply={events => {
          set({ events });
          setSelecting(false);
        }}
        onClose={() => setSelecting(false)}
      />
    );
  }
  const submit = (): void => {
    setTried(true);
    if (missingWebhookFields(form).length === 0) save.mutate();
  };
  const missing = wasTried ? missingWebhookFields(form) : [];
  const urlIssue = missing.includes('url') ? t('webhooks.urlNeeded') : issueOf(save.error, '/url');
  const eventsNeeded = missing.includes('events') ? t('webhooks.eventsNeeded') : undefined;
  const otherIssue = otherProblem(save.error, '/url');
  return (
    <Dialog
      title={webhook ? t('webhooks.edit') : t('webhooks.add')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {webhook ? t('dialog.save') : t('webhooks.addDo')}
          </Button>
        </>
      }
    >
      <WebhookFields
        {...{ form, set, urlIssue, otherIssue }}
        {...(eventsNeeded && { eventsNeeded })}
        onSelect={() => setSelecting(true)}
      />
    </Dialog>
  );
}

interface WebhookFieldsProps {
  form: WebhookForm;
  set(patch: Partial<WebhookForm>): void;
  urlIssue: string | undefined;
  otherIssue: string | undefined;
  eventsNeeded?: string;
  onSelect(): void;
}

const WebhookFields = ({ form, set, urlIssue, otherIssue, eventsNeeded, onSelect }: WebhookFieldsProps) => (
  <div className="grid gap-5">
    <TextField
      type="url"
      label={t('webhooks.url')}
      hint={t('webhooks.urlHint')}
      placeholder="https://"
      value={form.url}
      error={urlIssue}
      onChange={({ target }) => set({ url: target.value })}
    />
    <EventChoice events={form.events} {...(eventsNeeded && { error: eventsNeeded })} onOpen={onSelect} />
    <TextField
      label={t('webhooks.description')}
      value={form.description}
      maxLength={2_000}
      onChange={({ target }) => set({ description: target.value })}
    />
    <Check
      label={t('webhooks.playerContext')}
      about={t('webhooks.playerContextAbout')}
      checked={form.player_context_enabled}
      onChange={({ target }) => set({ player_context_enabled: target.checked })}
    />
    <Check
      label={t('webhooks.logs')}
      about={t('webhooks.logsAbout')}
      checked={form.enabled_logs}
      onChange={({ target }) => set({ enabled_logs: target.checked })}
    />
    <FormProblem text={otherIssue} />
  </div>
);
