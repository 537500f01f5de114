import type { S2sKey } from '@coinslot/contract';
import { Ban, Eye, KeyRound, Plus, Signature } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { fieldProblem } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Ago, Time } from '../../ui/cells.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { Bar, Loading, ReadProblem } from '../../ui/loading.tsx';
import { ConfirmDialog, PasswordDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { orderExample } from '../home/test-order.tsx';

function KeyDialog({ title, value, onClose }: { title: string; value: string; onClose(): void }) {
  return (
    <Dialog title={title} onClose={onClose} actions={<Button onClick={onClose}>{t('dialog.done')}</Button>}>
      <div className="grid gap-4">
        <CodeBlock text={value} label={t('keys.key')} />
        <p className="text-soft">{t('keys.keepSafe')}</p>
      </div>
    </Dialog>
  );
}

function CreateKey({ onMade, onClose }: { onMade(key: string): void; onClose(): void }) {
  const params = useEnv();
  const [label, setLabel] = useState('');
  const create = useAction(
    () => call('POST /dashboard/api/games/{game_id}/{mode}/keys', { params, body: { label: label.trim() } }),
    { quiet: true, done: () => t('keys.made'), after: made => onMade(made.s2s_key) },
  );
  return (
    <Dialog
      title={t('keys.create')}
      onClose={onClose}
      onSubmit={() => create.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            {t('keys.createDo')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('keys.label')}
        hint={t('keys.labelHint')}
        error={fieldProblem(create.error, '/label')}
        maxLength={100}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
      />
    </Dialog>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: S2sKey; onClose(): void }) {
  const scope = useEnv();
  const [isKnown, setKnown] = useState(false);
  const revoke = useAction(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/keys/{key_id}/revoke', {
        params: { ...scope, key_id: apiKey.id },
        body: { confirm_signing: isKnown },
      }),
    { quiet: true, done: () => t('keys.revoked', { hint: apiKey.hint }), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('keys.revokeAsk', { hint: apiKey.hint })}
      action={t('keys.revokeDo')}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{t('keys.revokeAbout')}</p>
        {apiKey.signs_webhooks && (
          <Check
            checked={isKnown}
            onChange={({ target }) => setKnown(target.checked)}
            label={t('keys.revokeSigns')}
            about={t('keys.revokeSignsAbout')}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}

function KeyRow({ apiKey, onReveal, onRevoke }: { apiKey: S2sKey; onReveal(): void; onRevoke(): void }) {
  const isRevoked = apiKey.revoked_at !== null;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line py-4">
      <KeyRound size={20} aria-hidden className="text-faint max-sm:hidden" />
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <code className="font-mono font-semibold">{apiKey.hint}</code>
          <Status kind="other" status={isRevoked ? 'revoked' : 'active'} />
          {apiKey.signs_webhooks && (
            <span className="inline-flex items-center gap-1 text-12 text-soft">
              <Signature size={14} aria-hidden />
              {t('keys.signs')}
            </span>
          )}
        </p>
        <p className="text-soft">
          {apiKey.label && `${apiKey.label} · `}
          {t('keys.madeAt')} <Time at={apiKey.created_at} />
          {apiKey.created_by && ` ${t('keys.by', { who: apiKey.created_by })}`}
        </p>
        <p className="text-soft">
          {apiKey.last_used_at === null ? (
            t('keys.neverUsed')
          ) : (
            <>
              {t('keys.lastUsed')} <Ago at={apiKey.last_used_at} />
            </>
          )}
        </p>
      </div>
      {!isRevoked && (
        <div className="flex gap-2">
          <Button size="small" icon={<Eye size={14} aria-hidden />} onClick={onReveal}>
            {t('keys.reveal')}
          </Button>
          <Button size="small" icon={<Ban size={14} aria-hidden />} onClick={onRevoke}>
            {t('keys.revoke')}
          </Button>
        </div>
      )}
    </li>
  );
}

function RevealKey({ apiKey, onShown, onClose }: { apiKey: S2sKey; onShown(key: string): void; onClose(): void }) {
  const scope = useEnv();
  const reveal = useAction(
    (body: { password?: string }) =>
      call('POST /dashboard/api/games/{game_id}/{mode}/keys/{key_id}/reveal', {
        params: { ...scope, key_id: apiKey.id },
        body,
      }),
    { quiet: true, after: shown => onShown(shown.s2s_key) },
  );
  return (
    <PasswordDialog
      title={t('keys.revealTitle')}
      about={t('keys.revealAbout')}
      action={t('keys.reveal')}
      busy={reveal.isPending}
      error={reveal.error}
      onConfirm={reveal.mutate}
      onClose={onClose}
    />
  );
}

type Open =
  | { kind: 'create' }
  | { kind: 'reveal' | 'revoke'; apiKey: S2sKey }
  | { kind: 'shown'; value: string }
  | null;

export function KeysPage() {
  const params = useEnv();
  const { may } = useCurrentGame();
  const [open, setOpen] = useState<Open>(null);
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/keys', { params });
  const close = (): void => setOpen(null);
  const show = (value: string): void => setOpen({ kind: 'shown', value });
  return (
    <Page
      title={t('nav.keys')}
      about={t(params.mode === 'live' ? 'keys.aboutLive' : 'keys.aboutSandbox')}
      guide="keys"
      actions={
        may('manageKeys') && (
          <Button look="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setOpen({ kind: 'create' })}>
            {t('keys.create')}
          </Button>
        )
      }
    >
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {read.isPending && (
        <div className="grid gap-4 border-t border-line py-6">
          <Loading />
          <Bar className="w-64" />
          <Bar className="w-40" />
        </div>
      )}
      {read.data && (
        <ul className="border-t border-line">
          {read.data.data.map(apiKey => (
            <KeyRow
              key={apiKey.id}
              apiKey={apiKey}
              onReveal={() => setOpen({ kind: 'reveal', apiKey })}
              onRevoke={() => setOpen({ kind: 'revoke', apiKey })}
            />
          ))}
        </ul>
      )}
      <Section title={t('keys.tryTitle')} about={t('keys.tryAbout')} className="mt-6 border-t-0">
        <CodeBlock text={orderExample(location.origin)} label={t('keys.tryTitle')} />
      </Section>
      {open?.kind === 'create' && <CreateKey onMade={show} onClose={close} />}
      {open?.kind === 'reveal' && <RevealKey apiKey={open.apiKey} onShown={show} onClose={close} />}
      {open?.kind === 'revoke' && <RevokeKey apiKey={open.apiKey} onClose={close} />}
      {open?.kind === 'shown' && <KeyDialog title={t('keys.shown')} value={open.value} onClose={close} />}
    </Page>
  );
}
