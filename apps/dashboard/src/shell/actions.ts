import { BookOpen, FlaskConical, Keyboard, type LucideIcon, Moon, RotateCcw, UserPlus } from 'lucide-react';
import { language, type TextKey, t } from '../texts/texts.ts';
import { otherSide } from './places.ts';

/** Where the member is and what they may do. */
export interface Whereabouts {
  path: string;
  mode: 'live' | 'sandbox';
  isDark: boolean;
  mayInvite: boolean;
}

/** What the palette can do besides going to a page. */
export interface Action {
  label: TextKey & (`action.${string}` | 'team.invite');
  icon: LucideIcon;
  does:
    | { kind: 'go'; to: string; search?: Record<string, string> }
    | { kind: 'theme'; theme: 'light' | 'dark' }
    | { kind: 'docs' }
    | { kind: 'keys' };
}

const PAYMENT = /^\/g\/[^/]+\/[^/]+\/transactions\/[^/]+$/;

function actionsAt({ path, mode, isDark, mayInvite }: Whereabouts): Action[] {
  const other = mode === 'sandbox' ? 'live' : 'sandbox';
  const root = path.split('/').slice(0, 4).join('/');
  const refund: Action = {
    label: 'action.refund',
    icon: RotateCcw,
    does: { kind: 'go', to: path, search: { refund: '1' } },
  };
  const invite: Action = {
    label: 'team.invite',
    icon: UserPlus,
    does: { kind: 'go', to: `${root}/settings/team`, search: { invite: '1' } },
  };
  return [
    ...(PAYMENT.test(path) ? [refund] : []),
    { label: `action.${other}`, icon: FlaskConical, does: { kind: 'go', to: otherSide(path, other) } },
    ...(mayInvite ? [invite] : []),
    {
      label: isDark ? 'action.light' : 'action.dark',
      icon: Moon,
      does: { kind: 'theme', theme: isDark ? 'light' : 'dark' },
    },
    { label: 'action.docs', icon: BookOpen, does: { kind: 'docs' } },
    { label: 'action.keys', icon: Keyboard, does: { kind: 'keys' } },
  ];
}

/** Actions whose name contains the text, in any case; all that fit the place for no text. */
export function actionsNamed(text: string, whereabouts: Whereabouts): Action[] {
  const wanted = text.trim().toLocaleLowerCase(language);
  return actionsAt(whereabouts).filter(({ label }) => t(label).toLocaleLowerCase(language).includes(wanted));
}

export type Hotkey = 'search' | 'keys';

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** What a key opens. `isTyping`: inside a field or a dialog, where only the combination works. */
export function hotkeyOf({ key, ctrlKey, metaKey, altKey }: Pressed, isTyping: boolean): Hotkey | null {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return 'search';
  if (ctrlKey || metaKey || altKey || isTyping) return null;
  return key === '/' ? 'search' : key === '?' ? 'keys' : null;
}
