import type { EvidencePreview as Preview } from '@coinslot/contract';
import { FileText } from 'lucide-react';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/cells.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';

/** What the bank will read, part by part, under the provider's own names. */
export const EvidencePreview = ({ preview, onClose }: { preview: Preview; onClose(): void }) => (
  <Dialog
    wide
    title={t('dispute.preview')}
    onClose={onClose}
    actions={<Button onClick={onClose}>{t('dialog.close')}</Button>}
  >
    <p className="pb-4 text-soft">{t('dispute.preview.about', { provider: preview.provider })}</p>
    <div lang="en" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {preview.parts.map(({ field, text, files }) => (
        <section key={`${field} ${files.join()}`} className="grid gap-2 rounded-lg border border-line p-4">
          <Code>{field}</Code>
          {text !== '' && <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}
          {files.map(name => (
            <p key={name} className="flex items-center gap-2">
              <FileText size={16} aria-hidden className="text-soft" /> {name}
            </p>
          ))}
        </section>
      ))}
    </div>
  </Dialog>
);
