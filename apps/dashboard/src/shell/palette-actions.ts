import { BookOpen, FlaskConical, Keyboard, type LucideIcon, Moon, RotateCcw, UserPlus } from 'lucide-react';
import { language, type TextKey, t } from '../texts/texts.ts';
import { pathInMode } from './paths.ts';

export interface PaletteContext {
  path: string;
  mode: 'live' | 'sandbox';
  isDark: boolean;
  mayInvite: boolean;
  /** Whether the page that is open offers a refund. */
  mayRefund: boolean;
}

/** What the palette can do besides opening a page. */
export interface Action {
  label: TextKey & (`action.${string}` | 'team.invite');
  icon: LucideIcon;
  effect:
    | { kind: 'go'; to: string; search?: Record<string, string> }
    | { kind: 'theme'; theme: 'light' | 'dark' }
    | { kind: 'docs' }
    | { kind: 'keys' };
}

const PURCHASE = /^\/g\/[^/]+\/[^/]+\/(transactions|orders)\/([^/]+)$/;

/** The payment or the order whose page is open. */
export function openPurchase(path: string): { payment: string | null; order: string | null } {
  const [, list, id = ''] = PURCHASE.exec(path) ?? [];
  return { payment: list === 'transactions' ? id : null, order: list === 'orders' ? id : null };
}

function actionsFor({ path, mode, isDark, mayInvite, mayRefund }: PaletteContext): Action[] {
  const other = mode === 'sandbox' ? 'live' : 'sandbox';
  const root = path.split('/').slice(0, 4).join('/');
  const refund: Action = {
    label: 'action.refund',
    icon: RotateCcw,
    effect: { kind: 'go', to: path, search: { refund: '1' } },
  };
  const invite: Action = {
    label: 'team.invite',
    icon: UserPlus,
    effect: { kind: 'go', to: `${root}/settings/team`, search: { invite: '1' } },
  };
  return [
    ...(mayRefund ? [refund] : []),
    { label: `action.${other}`, icon: FlaskConical, effect: { kind: 'go', to: pathInMode(path, other) } },
    ...(mayInvite ? [invite] : []),
    {
      label: isDark ? 'action.light' : 'action.dark',
      icon: Moon,
      effect: { kind: 'theme', theme: isDark ? 'light' : 'dark' },
    },
    { label: 'action.docs', icon: BookOpen, effect: { kind: 'docs' } },
    { label: 'action.keys', icon: Keyboard, effect: { kind: 'keys' } },
  ];
}

/** Finds actions whose name contains the text, ignoring case. An empty text finds all that fit the current page. */
export function searchActions(text: string, context: PaletteContext): Action[] {
  const wanted = text.trim().toLocaleLowerCase(language);
  return actionsFor(context).filter(({ label }) => t(label).toLocaleLowerCase(language).includes(wanted));
}

export type Hotkey = 'search' | 'keys';

interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Inside a field or a dialog (`isTyping`), only the key combination works. */
export function hotkeyOf({ key, ctrlKey, metaKey, altKey }: PressedKey, isTyping: boolean): Hotkey | null {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return 'search';
  if (ctrlKey || metaKey || altKey || isTyping) return null;
  return key === '/' ? 'search' : key === '?' ? 'keys' : null;
}
