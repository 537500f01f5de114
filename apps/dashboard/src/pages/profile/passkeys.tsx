import type { Profile } from '@coinslot/contract';
import { Fingerprint, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { addPasskey, hasPasskeys } from '../../kit/passkeys.ts';
import { fieldProblem } from '../../kit/problems.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Ago } from '../../ui/cells.tsx';
import { TextField } from '../../ui/field.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { browserName } from './browser-name.ts';
import { RecoveryCodes } from './two-step.tsx';

type Passkey = Profile['passkeys'][number];

interface NameDialogProps {
  title: string;
  action: string;
  first: string;
  save(name: string): Promise<unknown>;
  done: string;
  onClose(): void;
}

function NameDialog({ title, action, first, save, done, onClose }: NameDialogProps) {
  const [name, setName] = useState(first);
  const act = useAction(() => save(name.trim()), { quiet: true, done: () => done, after: onClose });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => act.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={act.isPending} disabled={name.trim() === ''}>
            {action}
          </Button>
        </>
      }
    >
      <TextField
        label={t('passkeys.name')}
        hint={t('passkeys.nameHint')}
        maxLength={100}
        value={name}
        error={fieldProblem(act.error, '/name')}
        onChange={({ target }) => setName(target.value)}
      />
    </Dialog>
  );
}

const params = ({ id }: Passkey) => ({ params: { passkey_id: id } });

function Row({ passkey }: { passkey: Passkey }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = (): void => setOpen(null);
  const remove = useAction(() => call('DELETE /dashboard/api/me/passkeys/{passkey_id}', params(passkey)), {
    quiet: true,
    done: () => t('passkeys.removed'),
    after: close,
  });
  return (
    <li className="flex flex-wrap items-center gap-4 border-b border-line py-3 first:border-t">
      <Fingerprint size={20} aria-hidden className="text-faint" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{passkey.name}</p>
        <p className="text-soft">
          {passkey.last_used_at === null ? (
            t('passkeys.neverUsed')
          ) : (
            <>
              {t('passkeys.used')} <Ago at={passkey.last_used_at} />
            </>
          )}
        </p>
      </div>
      <Button size="small" onClick={() => setOpen('rename')}>
        {t('passkeys.rename')}
      </Button>
      <Button size="small" onClick={() => setOpen('remove')}>
        {t('passkeys.remove')}
      </Button>
      {open === 'rename' && (
        <NameDialog
          title={t('passkeys.rename')}
          action={t('dialog.save')}
          first={passkey.name}
          save={name => call('PATCH /dashboard/api/me/passkeys/{passkey_id}', { ...params(passkey), body: { name } })}
          done={t('passkeys.renamed')}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <ConfirmDialog
          question={t('passkeys.removeTitle', { name: passkey.name })}
          action={t('passkeys.remove')}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          {t('passkeys.removeAbout')}
        </ConfirmDialog>
      )}
    </li>
  );
}

export function Passkeys({ profile }: { profile: Profile }) {
  const [isAdding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { browser, system } = browserName(navigator.userAgent);
  const add = async (name: string): Promise<void> => setCodes((await addPasskey(name)).recovery_codes);
  return (
    <div className="grid justify-items-start gap-4">
      {profile.passkeys.length > 0 && (
        <ul className="w-full">
          {profile.passkeys.map(passkey => (
            <Row key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {hasPasskeys() ? (
        <Button icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          {t('passkeys.add')}
        </Button>
      ) : (
        <p className="text-soft">{t('passkeys.unsupported')}</p>
      )}
      {isAdding && (
        <NameDialog
          title={t('passkeys.add')}
          action={t('dialog.next')}
          first={system ? `${browser}, ${system}` : browser}
          save={add}
          done={t('passkeys.added')}
          onClose={() => setAdding(false)}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </div>
  );
}
