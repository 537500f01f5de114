import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../kit/api.ts';
import { filledIn } from '../kit/forms.ts';
import { issueOf, problemText } from '../kit/problems.ts';
import { useCurrentGame } from '../kit/session.ts';
import { useAction } from '../kit/use-read.ts';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Dialog } from '../ui/overlay/dialog.tsx';

export function AddGameDialog({ onClose }: { onClose(): void }) {
  const { company_id } = useCurrentGame();
  const navigate = useNavigate();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const add = useAction(
    () =>
      call('POST /dashboard/api/companies/{company_id}/games', {
        params: { company_id },
        body: { game_url: url.trim(), ...filledIn({ game_name: name }) },
      }),
    {
      quiet: true,
      done: game => t('game.added', { name: game.name }),
      after: game => {
        onClose();
        void navigate({ to: `/g/${game.id}/live` });
      },
    },
  );
  const urlIssue =
    issueOf(add.error, '/game_url') ?? (add.error?.issues.length === 0 ? problemText(add.error) : undefined);
  return (
    <Dialog
      title={t('game.add')}
      onClose={onClose}
      onSubmit={() => add.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            {t('game.addDo')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <TextField
          label={t('register.link')}
          hint={t('register.linkHint')}
          error={urlIssue}
          type="url"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
        />
        <TextField
          label={t('register.gameName')}
          hint={t('register.gameNameHint')}
          error={issueOf(add.error, '/game_name')}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
    </Dialog>
  );
}
