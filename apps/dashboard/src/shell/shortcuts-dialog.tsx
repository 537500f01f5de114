import { t } from '../texts/texts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/overlay/dialog.tsx';

const SHORTCUTS = [
  { keys: ['⌘ K', 'Ctrl K', '/'], label: 'keys.search' },
  { keys: ['?'], label: 'keys.help' },
  { keys: ['↑', '↓'], label: 'keys.move' },
  { keys: ['j', 'k'], label: 'keys.attention' },
  { keys: ['x'], label: 'keys.choose' },
  { keys: ['Enter'], label: 'keys.open' },
  { keys: ['e'], label: 'keys.act' },
  { keys: ['s'], label: 'keys.snooze' },
  { keys: ['Esc'], label: 'keys.close' },
] as const;

export const ShortcutsDialog = ({ onClose }: { onClose(): void }) => (
  <Dialog title={t('action.keys')} onClose={onClose} actions={<Button onClick={onClose}>{t('dialog.done')}</Button>}>
    <dl className="grid gap-3">
      {SHORTCUTS.map(({ keys, label }) => (
        <div key={label} className="flex items-center justify-between gap-4">
          <dt>{t(label)}</dt>
          <dd className="flex gap-2">
            {keys.map(key => (
              <kbd
                key={key}
                className="rounded-md border border-edge bg-sunk px-2 py-0.5 font-mono text-12 whitespace-nowrap"
              >
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
