import type { TimelineEntry } from '@coinslot/contract';
import {
  Banknote,
  CircleCheck,
  CircleX,
  Eye,
  Flag,
  HandCoins,
  LockKeyhole,
  type LucideIcon,
  Mail,
  PackageCheck,
  PackageMinus,
  PackageX,
  RotateCcw,
  Send,
  ShieldAlert,
  ShieldCheck,
  ShoppingBag,
  UserRound,
} from 'lucide-react';
import { formatDuration } from '../../kit/format.ts';
import { language, t, tryText } from '../../kit/texts.ts';
import { EnvLink } from '../../ui/env-link.tsx';
import { statusText } from '../../ui/status.tsx';
import { Step, type StepTone, Timeline } from '../../ui/timeline.tsx';

const LOOKS: Partial<Record<TimelineEntry['kind'], readonly [StepTone, LucideIcon]>> = {
  'order.created': ['plain', ShoppingBag],
  'order.paid': ['good', CircleCheck],
  'order.rejected': ['bad', PackageX],
  'order.disputed': ['warn', ShieldAlert],
  'order.charged_back': ['bad', Flag],
  'payment.pending': ['plain', HandCoins],
  'payment.requires_action': ['plain', LockKeyhole],
  'payment.authorized': ['good', ShieldCheck],
  'payment.succeeded': ['good', Banknote],
  'payment.declined': ['bad', CircleX],
  'payment.refunded': ['plain', RotateCcw],
  'payment.disputed': ['warn', ShieldAlert],
  'payment.charged_back': ['bad', Flag],
  'checkout.opened': ['plain', Eye],
  'item.add': ['plain', Send],
  'item.remove': ['plain', PackageMinus],
  'receipt.created': ['plain', Mail],
  'receipt.sent': ['plain', Mail],
  person: ['plain', UserRound],
};

const isAttempt = ({ kind }: TimelineEntry): boolean => kind.endsWith('.attempt');
const wasTaken = ({ status }: TimelineEntry): boolean => /^2\d\d$/.test(status ?? '') || status === 'succeeded';

/** That the game's last word was a yes is told by the attempt already. */
const isNews = (entry: TimelineEntry): boolean => !(entry.kind.endsWith('.end') && entry.status === 'succeeded');

function lookOf(entry: TimelineEntry): readonly [StepTone, LucideIcon] {
  if (isAttempt(entry)) return wasTaken(entry) ? ['good', PackageCheck] : ['warn', PackageX];
  if (entry.kind.endsWith('.end')) return wasTaken(entry) ? ['good', PackageCheck] : ['bad', PackageX];
  return LOOKS[entry.kind] ?? ['plain', CircleCheck];
}

export function titleOf(entry: TimelineEntry): string {
  if (entry.kind === 'person') {
    const what = tryText(`audit.${entry.action ?? ''}`) ?? entry.action ?? '';
    return `${entry.actor ?? t('story.somebody')}: ${what}`;
  }
  if (isAttempt(entry)) {
    const key = `story.${entry.kind}.${wasTaken(entry) ? 'yes' : 'no'}`;
    return (tryText(key) ?? entry.kind).replace('{attempt}', String(entry.attempt ?? 1));
  }
  if (entry.kind.endsWith('.end')) return tryText(`story.${entry.kind}.${entry.status ?? ''}`) ?? entry.kind;
  return tryText(`story.${entry.kind}`) ?? entry.kind;
}

function aboutOf(entry: TimelineEntry): string[] {
  const parts: string[] = [];
  if (isAttempt(entry)) parts.push(entry.status ? `HTTP ${entry.status}` : t('story.noAnswer'));
  else if (entry.code) parts.push(entry.code);
  if (entry.detail) parts.push(entry.detail);
  if (entry.kind.startsWith('receipt') && entry.status) parts.push(statusText('other', entry.status));
  if (entry.duration_ms !== null) parts.push(formatDuration(language, entry.duration_ms));
  return parts;
}

/** Everything that happened, from top to bottom. */
export const Story = ({ entries }: { entries: readonly TimelineEntry[] }) => (
  <Timeline>
    {entries.filter(isNews).map((entry, index) => {
      const [tone, Icon] = lookOf(entry);
      const about = aboutOf(entry);
      return (
        <Step
          key={`${entry.at} ${entry.kind} ${index}`}
          at={entry.at}
          tone={tone}
          icon={<Icon size={16} aria-hidden />}
          title={titleOf(entry)}
        >
          {(about.length > 0 || (isAttempt(entry) && entry.delivery_id)) && (
            <>
              {about.join(' · ')}
              {isAttempt(entry) && entry.delivery_id && (
                <>
                  {about.length > 0 && ' · '}
                  <EnvLink to="integration/deliveries/$deliveryId" params={{ deliveryId: entry.delivery_id }}>
                    {t('story.delivery')}
                  </EnvLink>
                </>
              )}
            </>
          )}
        </Step>
      );
    })}
  </Timeline>
);
