import type { DisputeDetail, DisputeEvidence, EvidencePreview as Preview } from '@coinslot/contract';
import { Eye, Send } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { formatMoney } from '../../kit/money.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { EvidenceFiles } from './evidence-files.tsx';
import { EVIDENCE_CHARS, EVIDENCE_PARTS, isChanged, withPart } from './evidence-form.ts';
import { EvidencePreview } from './evidence-preview.tsx';

const paramsOf = ({ payment_id, dispute_id }: DisputeDetail) => ({ payment_id, dispute_id });

/** Accepts the dispute as lost, after a confirmation. */
function AcceptButton({ dispute }: { dispute: DisputeDetail }) {
  const params = { ...useEnv(), ...paramsOf(dispute) };
  const [isAsking, setAsking] = useState(false);
  const accept = useAction(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/disputes/{dispute_id}/accept', {
        params,
      }),
    { quiet: true, done: () => t('dispute.acceptSent'), after: () => setAsking(false) },
  );
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {t('dispute.accept')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          question={t('dispute.acceptAsk')}
          action={t('dispute.accept')}
          busy={accept.isPending}
          error={accept.error}
          onConfirm={() => accept.mutate()}
          onClose={() => setAsking(false)}
        >
          {t('dispute.acceptAbout', { amount: formatMoney(language, dispute.amount, dispute.currency) })}
        </ConfirmDialog>
      )}
    </>
  );
}

interface Given {
  dispute: DisputeDetail;
  evidence: DisputeEvidence;
}

/** Previews what the bank would read, from the current content of the fields. */
function PreviewButton({ dispute, evidence }: Given) {
  const params = { ...useEnv(), ...paramsOf(dispute) };
  const [preview, setPreview] = useState<Preview | null>(null);
  const show = useAction(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/disputes/{dispute_id}/preview', {
        params,
        body: evidence,
      }),
    { after: setPreview },
  );
  return (
    <>
      <Button icon={<Eye size={16} aria-hidden />} busy={show.isPending} onClick={() => show.mutate()}>
        {t('dispute.preview')}
      </Button>
      {preview && <EvidencePreview preview={preview} onClose={() => setPreview(null)} />}
    </>
  );
}

function SendButtons({ dispute, evidence }: Given) {
  const request = { params: { ...useEnv(), ...paramsOf(dispute) }, body: evidence };
  const [isAsking, setAsking] = useState(false);
  const save = useAction(
    () =>
      call(
        'PUT /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/disputes/{dispute_id}/evidence',
        request,
      ),
    { done: () => t('dispute.saved') },
  );
  const send = useAction(
    () =>
      call(
        'POST /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/disputes/{dispute_id}/answer',
        request,
      ),
    { quiet: true, done: () => t('dispute.sent'), after: () => setAsking(false) },
  );
  return (
    <>
      <Button look="primary" icon={<Send size={16} aria-hidden />} onClick={() => setAsking(true)}>
        {t('dispute.send')}
      </Button>
      <Button
        busy={save.isPending}
        disabled={!isChanged(evidence, dispute.evidence) && !dispute.is_composed}
        onClick={() => save.mutate()}
      >
        {t('dispute.save')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          question={t('dispute.sendAsk')}
          action={t('dispute.send')}
          danger={false}
          busy={send.isPending}
          error={send.error}
          onConfirm={() => send.mutate()}
          onClose={() => setAsking(false)}
        >
          {t('dispute.sendAbout')}
        </ConfirmDialog>
      )}
    </>
  );
}

/** The fields start with the saved texts and keep what the member types, even if the dispute is read again. */
export function EvidenceForm({ dispute }: { dispute: DisputeDetail }) {
  const [typed, setTyped] = useState(dispute.evidence);
  const isLocked = !dispute.can_answer;
  const evidence = isLocked ? dispute.evidence : typed;
  return (
    <div className="grid grid-cols-1 gap-5">
      <fieldset disabled={isLocked} className="grid min-w-0 grid-cols-1 gap-5">
        {EVIDENCE_PARTS.map(part => (
          <TextArea
            key={part}
            lang="en"
            label={t(`dispute.part.${part}`)}
            hint={t(`dispute.part.${part}.hint`)}
            rows={part === 'statement' ? 3 : 6}
            maxLength={EVIDENCE_CHARS}
            value={evidence[part]}
            onChange={({ target }) => setTyped(withPart(typed, part, target.value))}
          />
        ))}
      </fieldset>
      <EvidenceFiles dispute={dispute} />
      <div className="flex flex-wrap gap-2">
        {!isLocked && <SendButtons dispute={dispute} evidence={evidence} />}
        <PreviewButton dispute={dispute} evidence={evidence} />
        {dispute.can_accept && <AcceptButton dispute={dispute} />}
      </div>
    </div>
  );
}
