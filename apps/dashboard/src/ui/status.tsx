import type { DeliverySummary } from '@coinslot/contract';
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleSlash,
  CircleX,
  Clock,
  Flag,
  Hourglass,
  LoaderCircle,
  LockKeyhole,
  type LucideIcon,
  RotateCcw,
  ShieldAlert,
} from 'lucide-react';
import { formatMoney } from '../kit/money.ts';
import { language, tryText } from '../texts/texts.ts';

type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

const TONES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-wash text-good',
  warn: 'bg-warn-wash text-warn',
  bad: 'bg-bad-wash text-bad',
  info: 'bg-info-wash text-info',
  plain: 'bg-sunk text-soft',
};

const LOOKS: Readonly<Record<string, readonly [Tone, LucideIcon]>> = {
  created: ['plain', CircleDashed],
  pending: ['info', LoaderCircle],
  requires_action: ['info', LockKeyhole],
  authorized: ['warn', Hourglass],
  succeeded: ['good', CircleCheck],
  paid: ['good', CircleCheck],
  declined: ['bad', CircleX],
  rejected: ['bad', CircleX],
  abandoned: ['plain', CircleSlash],
  canceled: ['plain', Ban],
  expired: ['plain', Clock],
  voided: ['plain', CircleSlash],
  refund_requested: ['info', RotateCcw],
  refunded: ['plain', RotateCcw],
  disputed: ['warn', ShieldAlert],
  charged_back: ['bad', Flag],
  blocked: ['plain', Clock],
  held: ['warn', CirclePause],
  exhausted: ['bad', CircleX],
  retrying: ['warn', RotateCcw],
  enabled: ['good', CircleCheck],
  disabled: ['plain', CirclePause],
  active: ['good', CircleCheck],
  revoked: ['plain', Ban],
  invited: ['info', Clock],
  open: ['warn', CircleDot],
  inquiry: ['info', ShieldAlert],
  won: ['good', CircleCheck],
  lost: ['bad', Flag],
  prevented: ['plain', RotateCcw],
  unclear: ['warn', CircleDot],
  corrected: ['good', CircleCheck],
  resolved: ['good', CircleCheck],
  running: ['info', LoaderCircle],
  done: ['good', CircleCheck],
  failed: ['bad', CircleX],
};

export type StatusKind = 'order' | 'payment' | 'delivery' | 'dispute' | 'other';

export const statusText = (kind: StatusKind, status: string): string =>
  tryText(`status.${kind}.${status}`) ?? tryText(`status.other.${status}`) ?? status;

interface NamedRow {
  amount: number;
  currency: string;
  status: string;
  player_id: string;
}

/** Many rows have the same amount, so the link's accessible name adds status and player. */
export const rowName = (kind: StatusKind, { amount, currency, status, player_id }: NamedRow): string =>
  [formatMoney(language, amount, currency), statusText(kind, status), player_id].join(', ');

/** Icon and word carry the meaning, color only supports it. */
export function Status({ kind, status }: { kind: StatusKind; status: string }) {
  const [tone, Icon] = LOOKS[status] ?? ['plain', CircleDot];
  return (
    <span
      className={`inline-flex h-6 items-center gap-1.5 rounded-full align-middle px-2 text-12 font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      <Icon size={14} aria-hidden />
      {statusText(kind, status)}
    </span>
  );
}

/** A pending delivery that has already failed once is shown as retrying. */
export const deliveryState = ({ status, attempts_made }: Pick<DeliverySummary, 'status' | 'attempts_made'>): string =>
  status === 'pending' && attempts_made > 0 ? 'retrying' : status;

export const DeliveryStatus = (delivery: Pick<DeliverySummary, 'status' | 'attempts_made'>) => (
  <Status kind="delivery" status={deliveryState(delivery)} />
);
