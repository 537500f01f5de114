import { useState } from 'react';
import { type AnswerOf, call } from '../../../kit/api.ts';
import { isSame, orNull } from '../../../kit/forms.ts';
import { issueOf } from '../../../kit/problems.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useAction, useRead } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { TextField } from '../../../ui/field.tsx';
import { SettingsForm, SettingsPage } from '../../../ui/settings.tsx';
import { MailPreview } from './mail-preview.tsx';

type Settings = AnswerOf<'GET /dashboard/api/companies/{company_id}/receipts'>;

function ReceiptForm({ settings }: { settings: Settings }) {
  const { company_id, may, game } = useCurrentGame();
  const [sender, setSender] = useState(settings.sender_name ?? '');
  const [replyTo, setReplyTo] = useState(settings.reply_to ?? '');
  const form = { sender_name: orNull(sender), reply_to: orNull(replyTo) };
  const save = useAction(
    () =>
      call('PATCH /dashboard/api/companies/{company_id}/receipts', {
        params: { company_id },
        body: form,
      }),
    { done: () => t('receipts.saved') },
  );
  return (
    <SettingsForm
      isLocked={!may('changeReceipts')}
      busy={save.isPending}
      isSame={isSame(form, settings)}
      onSave={() => save.mutate()}
    >
      <h2 className="font-semibold">{t('mails.receipts')}</h2>
      <TextField
        label={t('receipts.sender')}
        hint={t('receipts.senderHint')}
        placeholder={game.name}
        value={sender}
        error={issueOf(save.error, '/sender_name')}
        onChange={({ target }) => setSender(target.value)}
      />
      <TextField
        type="email"
        label={t('receipts.replyTo')}
        hint={t('receipts.replyToHint')}
        value={replyTo}
        error={issueOf(save.error, '/reply_to')}
        onChange={({ target }) => setReplyTo(target.value)}
      />
    </SettingsForm>
  );
}

export function ReceiptsPage() {
  const { company_id } = useCurrentGame();
  const read = useRead('GET /dashboard/api/companies/{company_id}/receipts', { params: { company_id } });
  return (
    <SettingsPage title={t('nav.receipts')} about={t('mails.about')} read={read}>
      {settings => (
        <div className="grid gap-x-12 gap-y-8 border-t border-line pt-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,600px)]">
          <ReceiptForm settings={settings} />
          <MailPreview version={JSON.stringify(settings)} />
        </div>
      )}
    </SettingsPage>
  );
}
