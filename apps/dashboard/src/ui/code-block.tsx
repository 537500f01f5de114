import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { t } from '../texts/texts.ts';
import { IconButton } from './button.tsx';

function CopyButton({ text, label, className = '' }: { text: string; label: string; className?: string }) {
  const [isDone, setDone] = useState(false);
  return (
    <IconButton
      label={isDone ? t('copy.done') : label}
      icon={isDone ? <Check size={16} className="text-good" /> : <Copy size={16} />}
      className={className}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => {
            setDone(true);
            setTimeout(() => setDone(false), 2_000);
          },
          () => setDone(false),
        );
      }}
    />
  );
}

interface CodeBlockProps {
  text: string;
  label: string;
  /** Shows more lines before it scrolls. */
  tall?: boolean;
}

export const CodeBlock = ({ text, label, tall = false }: CodeBlockProps) => (
  <div className="group relative min-w-0 rounded-md border border-line bg-ground">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <section aria-label={label} tabIndex={0} className={`overflow-auto ${tall ? 'max-h-[480px]' : 'max-h-[240px]'}`}>
      <pre className="p-3 pr-12 font-mono text-12 break-words whitespace-pre-wrap">{text}</pre>
    </section>
    <CopyButton text={text} label={t('copy.label', { what: label })} className="absolute top-1 right-1 bg-ground" />
  </div>
);

export const CopyId = ({ id, label }: { id: string; label: string }) => (
  <span className="inline-flex max-w-full min-w-0 items-center gap-1">
    <code className="min-w-0 truncate font-mono text-12" title={id}>
      {id}
    </code>
    <CopyButton text={id} label={t('copy.label', { what: label })} className="-my-1.5" />
  </span>
);
