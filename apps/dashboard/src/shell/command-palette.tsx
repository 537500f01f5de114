import { useLocation, useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight, CornerDownLeft, Search, ShoppingBag, UserRound } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { itemsText } from '../kit/format.ts';
import { formatMoney } from '../kit/money.ts';
import { useCurrentGame } from '../kit/session.ts';
import { setTheme } from '../kit/theme.ts';
import { useEnv } from '../kit/use-env.ts';
import { useRead } from '../kit/use-read.ts';
import { language, t } from '../texts/texts.ts';
import { useModal } from '../ui/overlay/use-modal.ts';
import { statusText } from '../ui/status.tsx';
import { stepIndex } from '../ui/step-index.ts';
import { searchPages } from './navigation.ts';
import { type Action, openPurchase, searchActions } from './palette-actions.ts';

interface Hit {
  key: string;
  icon: ReactNode;
  title: string;
  about?: string;
  to: string;
  search?: Record<string, string>;
  /** Runs instead of navigating. */
  act?: () => void;
}

const PAUSE_MS = 200;

function useSettled(text: string): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** What the open page offers, as that page has read it: nothing is asked for again. */
function useMayRefund(path: string): boolean {
  const env = useEnv();
  const { payment, order } = openPurchase(path);
  const known = { enabled: false };
  const paid = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/transactions/{payment_id}',
    { params: { ...env, payment_id: payment ?? '' } },
    known,
  );
  const ordered = useRead(
    'GET /dashboard/api/games/{game_id}/{mode}/orders/{order_id}',
    { params: { ...env, order_id: order ?? '' } },
    known,
  );
  return [paid.data, ordered.data].some(detail => detail?.actions.includes('refund'));
}

function useActions(text: string, onShortcuts: () => void): Hit[] {
  const { mode } = useEnv();
  const { may } = useCurrentGame();
  const path = useLocation({ select: location => location.pathname });
  const navigate = useNavigate();
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark';
  const run = ({ effect }: Action): void => {
    if (effect.kind === 'go') void navigate({ to: effect.to, search: effect.search ?? {} });
    else if (effect.kind === 'theme') setTheme(effect.theme);
    else if (effect.kind === 'docs') window.open('/docs', '_blank', 'noopener');
    else onShortcuts();
  };
  const context = { path, mode, isDark, mayInvite: may('manageTeam'), mayRefund: useMayRefund(path) };
  return searchActions(text, context).map(action => {
    const { label, icon: Icon } = action;
    return {
      key: `action ${label}`,
      icon: <Icon size={16} />,
      title: t(label),
      about: t('command.action'),
      to: '',
      act: () => run(action),
    };
  });
}

/** The lists that have more of what was found. Items are names of orders, cards and amounts those of payments. */
function listsWith(text: string, found: { payments: number; orders: number }): Hit[] {
  const all: Hit = { key: 'all', icon: <Search size={16} />, title: '', to: 'transactions', search: { q: text } };
  const transactions = { ...all, title: t('command.all', { text }) };
  const orders = { ...all, key: 'all orders', title: t('command.allOrders', { text }), to: 'orders' };
  if (found.orders === 0) return [transactions];
  return found.payments === 0 ? [orders] : [transactions, orders];
}

/** Finds pages by name at once. Payments, orders and players follow when the server has answered. */
function useHits(text: string, onShortcuts: () => void): Hit[] {
  const actions = useActions(text, onShortcuts);
  const params = useEnv();
  const q = useSettled(text.trim());
  const enabled = q.length >= 2;
  const query = { q: q || '-', limit: 5 };
  const found = { params, query };
  const payments = useRead('GET /dashboard/api/games/{game_id}/{mode}/transactions', found, { enabled, keep: true });
  const orders = useRead('GET /dashboard/api/games/{game_id}/{mode}/orders', found, { enabled, keep: true });
  const players = useRead('GET /dashboard/api/games/{game_id}/{mode}/players', found, { enabled, keep: true });
  const { may } = useCurrentGame();
  const pages = searchPages(text, may).map(
    ({ to, label, icon: Icon }): Hit => ({ key: `page ${to}`, icon: <Icon size={16} />, title: t(label), to }),
  );
  if (!enabled) return [...actions, ...pages];
  return [
    ...(players.data?.data ?? []).slice(0, 3).map(
      ({ player_id, name }): Hit => ({
        key: player_id,
        icon: <UserRound size={16} />,
        title: name ?? player_id,
        about: name ? player_id : t('nav.players'),
        to: `players/${encodeURIComponent(player_id)}`,
      }),
    ),
    ...(payments.data?.data ?? []).map(
      (payment): Hit => ({
        key: payment.payment_id,
        icon: <ArrowLeftRight size={16} />,
        title: `${formatMoney(language, payment.amount, payment.currency)} · ${payment.email ?? payment.player_id}`,
        about: statusText('payment', payment.status),
        to: `transactions/${payment.payment_id}`,
      }),
    ),
    ...(orders.data?.data ?? []).slice(0, 3).map(
      (order): Hit => ({
        key: order.order_id,
        icon: <ShoppingBag size={16} />,
        title: `${itemsText(order.items)} · ${order.player_id}`,
        about: statusText('order', order.status),
        to: `orders/${order.order_id}`,
      }),
    ),
    ...actions,
    ...pages,
    ...listsWith(text.trim(), { payments: payments.data?.data.length ?? 0, orders: orders.data?.data.length ?? 0 }),
  ];
}

function Hits({ id, hits, at, go }: { id: string; hits: readonly Hit[]; at: number; go(hit: Hit): void }) {
  return (
    <div role="listbox" id={id} aria-label={t('command.results')} className="max-h-[50dvh] overflow-y-auto p-2">
      {hits.map((hit, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the same
        <div
          key={hit.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          onClick={() => go(hit)}
          className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 hover:bg-sunk aria-selected:bg-sunk"
        >
          <span className="text-faint">{hit.icon}</span>
          <span className="min-w-0 flex-1 truncate" title={hit.title}>
            {hit.title}
          </span>
          {hit.about && <span className="shrink-0 text-12 text-soft">{hit.about}</span>}
          <CornerDownLeft size={14} aria-hidden className={index === at ? 'text-faint' : 'invisible'} />
        </div>
      ))}
      {hits.length === 0 && <p className="px-3 py-6 text-center text-soft">{t('command.none')}</p>}
    </div>
  );
}

export function CommandPalette({ onClose, onShortcuts }: { onClose(): void; onShortcuts(): void }) {
  const box = useModal('input');
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const hits = useHits(text, onShortcuts);
  const { game_id, mode } = useEnv();
  const navigate = useNavigate();
  const go = (hit: Hit): void => {
    onClose();
    if (hit.act) {
      hit.act();
      return;
    }
    const to = `/g/${game_id}/${mode}${hit.to === '' ? '' : `/${hit.to}`}`;
    void navigate({ to, search: hit.search ?? {} });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    const next = isArrow ? stepIndex(event.key, at, hits.length, 'wrap') : undefined;
    if (next !== undefined) {
      event.preventDefault();
      setAt(next);
    }
    const hit = hits[at];
    if (event.key === 'Enter' && hit) go(hit);
  };
  return (
    <dialog
      ref={box}
      aria-label={t('command.open')}
      onCancel={onClose}
      onPointerDown={event => {
        if (event.target === box.current) onClose();
      }}
      className="rise mx-auto mt-[12dvh] mb-auto w-[calc(100%-32px)] max-w-[600px] overflow-hidden rounded-lg bg-raised p-0 shadow-float"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search size={18} aria-hidden className="text-faint" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={hits[at] ? `${id}-${at}` : undefined}
          aria-label={t('command.hint')}
          placeholder={t('command.hint')}
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
          className="h-13 min-w-0 flex-1 bg-transparent text-16 text-ellipsis outline-none"
        />
      </div>
      <Hits {...{ id, hits, at, go }} />
    </dialog>
  );
}
