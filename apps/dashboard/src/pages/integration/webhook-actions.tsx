import type { DashboardWebhook } from '@coinslot/contract';
import type { UseMutationResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Eye, Pause, Pencil, Play, RefreshCcwDot, Repeat2, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type AnswerOf, call } from '../../kit/api.ts';
import type { Problem } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/cells.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ConfirmDialog, PasswordDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { type EventClasses, WebhookDialog } from './webhook-dialog.tsx';

type Secret = AnswerOf<'POST /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/rotate_secret'>;

function ShownSecret({ secret, onClose }: { secret: Secret; onClose(): void }) {
  return (
    <Dialog
      title={t('webhooks.secret')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('dialog.done')}</Button>}
    >
      <div className="grid gap-4">
        <CodeBlock text={secret.secret} label={t('webhooks.secret')} />
        <p className="text-soft">
          {t(secret.secret_source === 's2s_key' ? 'webhooks.secretIsKey' : 'webhooks.secretOwn')}
        </p>
        {secret.previous_secret && secret.previous_secret_until !== null && (
          <div className="grid gap-2">
            <p className="text-soft">
              {t('webhooks.secretPrevious')} <Time at={secret.previous_secret_until} />
            </p>
            <CodeBlock text={secret.previous_secret} label={t('webhooks.secretPreviousLabel')} />
          </div>
        )}
      </div>
    </Dialog>
  );
}

function useWebhookActions(webhook: DashboardWebhook, shown: (secret: Secret) => void, gone: () => void) {
  const params = { ...useEnv(), webhook_id: webhook.id };
  const navigate = useNavigate();
  const toggle: UseMutationResult<DashboardWebhook, Problem, boolean> = useAction(
    (enabled: boolean) =>
      call('PATCH /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}', { params, body: { enabled } }),
    {
      done: ({ enabled }) => t(enabled ? 'webhooks.enabled' : 'webhooks.disabled'),
      undo:
        ({ enabled }) =>
        () =>
          toggle.mutate(!enabled),
    },
  );
  const rotate = useAction(
    () => call('POST /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/rotate_secret', { params }),
    { quiet: true, done: () => t('webhooks.rotated'), after: shown },
  );
  const reveal = useAction(
    (body: { password?: string }) =>
      call('POST /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/reveal_secret', { params, body }),
    { quiet: true, after: shown },
  );
  const remove = useAction(
    () => call('DELETE /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}', { params }),
    {
      quiet: true,
      done: () => t('webhooks.deleted'),
      after: gone,
    },
  );
  const test = useAction(
    () => call('POST /dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/test', { params }),
    {
      done: () => t('webhooks.testSent'),
      after: ({ id }) => void navigate({ to: `/g/${params.game_id}/${params.mode}/integration/deliveries/${id}` }),
    },
  );
  return { toggle, rotate, reveal, remove, test };
}

type Open = 'edit' | 'rotate' | 'reveal' | 'delete' | 'replay' | null;

interface WebhookActionsProps {
  webhook: DashboardWebhook;
  classes: EventClasses;
}

export function WebhookActions({ webhook, classes }: WebhookActionsProps) {
  const { may } = useCurrentGame();
  const { game_id, mode } = useEnv();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const close = (): void => setOpen(null);
  const actions = useWebhookActions(
    webhook,
    shown => {
      close();
      setSecret(shown);
    },
    () => void navigate({ to: `/g/${game_id}/${mode}/integration/webhooks` }),
  );
  return (
    <>
      {may('changeWebhooks') && (
        <Button
          icon={<Send size={16} aria-hidden />}
          busy={actions.test.isPending}
          onClick={() => actions.test.mutate()}
        >
          {t('webhooks.test')}
        </Button>
      )}
      {may('replayEvents') && (
        <Menu trigger={<Button aria-label={t('webhooks.actions')} icon={<Ellipsis size={16} />} className="px-2.5" />}>
          {may('changeWebhooks') && (
            <>
              <MenuItem icon={<Pencil size={16} />} onSelect={() => setOpen('edit')}>
                {t('webhooks.edit')}
              </MenuItem>
              <MenuItem
                icon={webhook.enabled ? <Pause size={16} /> : <Play size={16} />}
                onSelect={() => actions.toggle.mutate(!webhook.enabled)}
              >
                {t(webhook.enabled ? 'webhooks.disable' : 'webhooks.enable')}
              </MenuItem>
              <MenuItem icon={<Eye size={16} />} onSelect={() => setOpen('reveal')}>
                {t('webhooks.reveal')}
              </MenuItem>
              <MenuItem icon={<RefreshCcwDot size={16} />} onSelect={() => setOpen('rotate')}>
                {t('webhooks.rotate')}
              </MenuItem>
            </>
          )}
          <MenuItem icon={<Repeat2 size={16} />} onSelect={() => setOpen('replay')}>
            {t('webhooks.replay')}
          </MenuItem>
          {may('changeWebhooks') && (
            <>
              <MenuLine />
              <MenuItem icon={<Trash2 size={16} />} onSelect={() => setOpen('delete')}>
                {t('webhooks.delete')}
              </MenuItem>
            </>
          )}
        </Menu>
      )}
      {open === 'edit' && <WebhookDialog webhook={webhook} classes={classes} onClose={close} />}
      {open === 'replay' && <ReplayDialog webhookId={webhook.id} onClose={close} />}
      {open && ['rotate', 'reveal', 'delete'].includes(open) && (
        <ConfirmDialogs {...{ open, actions, close, webhook }} />
      )}
      {secret && <ShownSecret secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

interface ConfirmDialogsProps {
  open: Open;
  actions: ReturnType<typeof useWebhookActions>;
  close(): void;
  webhook: DashboardWebhook;
}

function ConfirmDialogs({ open, actions, close, webhook }: ConfirmDialogsProps) {
  if (open === 'rotate') {
    return (
      <ConfirmDialog
        question={t('webhooks.rotateAsk')}
        action={t('webhooks.rotateDo')}
        danger={false}
        busy={actions.rotate.isPending}
        error={actions.rotate.error}
        onConfirm={() => actions.rotate.mutate()}
        onClose={close}
      >
        {t('webhooks.rotateAbout')}
      </ConfirmDialog>
    );
  }
  if (open === 'reveal') {
    return (
      <PasswordDialog
        title={t('webhooks.reveal')}
        about={t('webhooks.revealAbout')}
        action={t('keys.reveal')}
        busy={actions.reveal.isPending}
        error={actions.reveal.error}
        onConfirm={actions.reveal.mutate}
        onClose={close}
      />
    );
  }
  return (
    <ConfirmDialog
      question={t('webhooks.deleteAsk')}
      action={t('webhooks.deleteDo')}
      busy={actions.remove.isPending}
      error={actions.remove.error}
      onConfirm={() => actions.remove.mutate()}
      onClose={close}
    >
      {t('webhooks.deleteAbout', { url: webhook.url })}
    </ConfirmDialog>
  );
}
