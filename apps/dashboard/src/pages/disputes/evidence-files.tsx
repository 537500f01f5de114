import type { DisputeDetail, EvidenceFileKind, EvidenceFileRules } from '@coinslot/contract';
import { FileText, Paperclip, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { call } from '../../kit/api.ts';
import { issueOf, problemText } from '../../kit/problems.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FieldError, SelectField } from '../../ui/field.tsx';
import { FILE_KINDS, type FileIssue, fileIssue, fileSize } from './file-rules.ts';

const limits = (rules: EvidenceFileRules): string =>
  t(rules.one_of_each_kind ? 'dispute.files.oneOfEach' : 'dispute.files.many', {
    file: fileSize(language, rules.file_bytes),
    total: fileSize(language, rules.total_bytes),
    files: rules.files,
  });

function useFiles({ payment_id, dispute_id, files, file_rules: rules }: DisputeDetail) {
  const params = { ...useEnv(), payment_id, dispute_id };
  const [issue, setIssue] = useState<FileIssue | null>(null);
  const add = useAction(
    ({ kind, file }: { kind: EvidenceFileKind; file: File }) =>
      call('POST /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/disputes/{dispute_id}/files', {
        params,
        query: { kind, name: file.name.slice(-200) },
        file,
      }),
    { done: () => t('dispute.file.added'), quiet: true },
  );
  const remove = useAction(
    (file_id: string) =>
      call(
        'DELETE /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}/disputes/{dispute_id}/files/{file_id}',
        { params: { ...params, file_id } },
      ),
    { done: () => t('dispute.file.removed') },
  );
  const choose = (kind: EvidenceFileKind, file: File): void => {
    const found = rules && fileIssue(rules, files, kind, file);
    setIssue(found);
    if (!found) add.mutate({ kind, file });
  };
  const error = issue
    ? t(`dispute.file.problem.${issue}`)
    : add.error
      ? (issueOf(add.error, '/file') ?? problemText(add.error))
      : null;
  return { choose, remove, error, busy: add.isPending };
}

function AddFile({ dispute, rules }: { dispute: DisputeDetail; rules: EvidenceFileRules }) {
  const input = useRef<HTMLInputElement>(null);
  const taken = rules.one_of_each_kind ? dispute.files.map(({ kind }) => kind) : [];
  const free = FILE_KINDS.filter(kind => !taken.includes(kind));
  const [picked, setPicked] = useState<EvidenceFileKind>('receipt');
  const kind = free.includes(picked) ? picked : (free[0] ?? 'other');
  const { choose, error, busy } = useFiles(dispute);
  if (free.length === 0 || dispute.files.length >= rules.files) return null;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label={t('dispute.file.kind')}
          value={kind}
          onChange={({ target }) => setPicked(target.value as EvidenceFileKind)}
        >
          {free.map(one => (
            <option key={one} value={one}>
              {t(`dispute.file.kind.${one}`)}
            </option>
          ))}
        </SelectField>
        <input
          ref={input}
          type="file"
          accept={rules.types.join(',')}
          aria-label={t('dispute.file.add')}
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            if (target.files?.[0]) choose(kind, target.files[0]);
            target.value = '';
          }}
        />
        <Button icon={<Paperclip size={16} aria-hidden />} busy={busy} onClick={() => input.current?.click()}>
          {t('dispute.file.add')}
        </Button>
      </div>
      {error ? <FieldError>{error}</FieldError> : <p className="text-12 text-soft">{limits(rules)}</p>}
    </div>
  );
}

/** The files that go to the bank, as far as the provider takes any. */
export function EvidenceFiles({ dispute }: { dispute: DisputeDetail }) {
  const { files, file_rules: rules, can_answer: canAnswer } = dispute;
  const { remove } = useFiles(dispute);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <h3 className="font-semibold">{t('dispute.files')}</h3>
      {!rules && <p className="text-soft">{t('dispute.files.none')}</p>}
      {files.length > 0 && (
        <ul aria-label={t('dispute.files')} className="grid grid-cols-1 gap-2">
          {files.map(file => (
            <li key={file.file_id} className="flex items-center gap-3 rounded-lg border border-line px-4 py-2">
              <FileText size={16} aria-hidden className="shrink-0 text-soft" />
              <span className="min-w-0 flex-1">
                <span className="block truncate" title={file.name}>
                  {file.name}
                </span>
                <span className="text-12 text-soft">
                  {t(`dispute.file.kind.${file.kind}`)}, {fileSize(language, file.bytes)}
                </span>
              </span>
              {canAnswer && (
                <IconButton
                  label={t('dispute.file.remove', { name: file.name })}
                  icon={<Trash2 size={16} aria-hidden />}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(file.file_id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {rules && canAnswer && <AddFile dispute={dispute} rules={rules} />}
    </div>
  );
}
