import { useState } from 'react';
import { addressOf } from '../../kit/address.ts';
import { type AnswerOf, call } from '../../kit/api.ts';
import { isSame, orNull } from '../../kit/forms.ts';
import { issueOf } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { TextField } from '../../ui/field.tsx';
import { SettingsForm, SettingsPage } from '../../ui/settings.tsx';

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
  const params = { company_id };
  const read = useRead('GET /dashboard/api/companies/{company_id}/receipts', { params });
  const preview = addressOf('/dashboard/api/companies/{company_id}/receipts/preview', {
    params,
    query: { locale: language },
  });
  return (
    <SettingsPage title={t('nav.receipts')} about={t('receipts.about')} read={read}>
      {settings => (
        <div className="grid gap-x-12 gap-y-8 border-t border-line pt-6 lg:grid-cols-[1fr_560px]">
          <ReceiptForm settings={settings} />
          <div>
            <h2 className="pb-3 font-semibold">{t('receipts.preview')}</h2>
            <iframe
              key={JSON.stringify(settings)}
              title={t('receipts.preview')}
              src={preview}
              sandbox=""
              className="h-[640px] w-full rounded-lg border border-line bg-white"
            />
          </div>
        </div>
      )}
    </SettingsPage>
  );
}
