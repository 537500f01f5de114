import type { ProviderConnection, ProviderState } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { filledIn } from '../../kit/forms.ts';
import { issueOf, problemText } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { accountQuery } from './accounts/account-text.ts';

interface ProviderDialogProps {
  state: ProviderState;
  /** Whose keys change; without it an account is added. */
  connection?: ProviderConnection;
  onClose(): void;
}

/** A secret that is left empty keeps its saved value. */
export function ProviderDialog({ state, connection, onClose }: ProviderDialogProps) {
  const { company_id } = useCurrentGame();
  const { key_names: names } = state;
  const [secret, setSecret] = useState('');
  const [publishable, setPublishable] = useState(connection?.publishable_key ?? '');
  const [callback, setCallback] = useState('');
  const save = useAction(
    () =>
      call('PUT /dashboard/api/companies/{company_id}/providers/{provider}', {
        params: { company_id, provider: state.provider },
        body: {
          publishable_key: publishable.trim(),
          ...accountQuery(connection ?? { account_id: null }),
          ...filledIn({ secret_key: secret, callback_secret: callback }),
        },
      }),
    { quiet: true, done: () => t('provider.connected', { provider: state.title }), after: onClose },
  );
  const kept = connection ? t('provider.kept') : undefined;
  const general = save.error && save.error.issues.length === 0 ? problemText(save.error) : undefined;
  return (
    <Dialog
      title={connection ? t('provider.change') : t('provider.connect', { provider: state.title })}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {t('provider.tryAndSave')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{t('provider.where', { provider: state.title })}</p>
        <TextField
          label={names.publishable_key}
          autoComplete="off"
          value={publishable}
          error={issueOf(save.error, '/publishable_key')}
          onChange={({ target }) => setPublishable(target.value)}
        />
        <TextField
          type="password"
          label={names.secret_key}
          autoComplete="off"
          hint={kept}
          value={secret}
          error={issueOf(save.error, '/secret_key') ?? general}
          onChange={({ target }) => setSecret(target.value)}
        />
        {names.callback_secret !== null && (
          <TextField
            type="password"
            label={names.callback_secret}
            autoComplete="off"
            hint={kept ?? t('provider.callbackSecretHint')}
            value={callback}
            error={issueOf(save.error, '/callback_secret')}
            onChange={({ target }) => setCallback(target.value)}
          />
        )}
      </div>
    </Dialog>
  );
}
