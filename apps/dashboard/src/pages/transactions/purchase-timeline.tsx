import type { TimelineEntry } from '@coinslot/contract';
import {
  Archive,
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
  TriangleAlert,
  UserRound,
} from 'lucide-react';
import { t } from '../../texts/texts.ts';
import { TextWithCode } from '../../ui/cells.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { Step, type StepTone, Timeline } from '../../ui/timeline.tsx';
import { aboutOf, isAttempt, isShown, titleOf, wasAccepted } from './timeline-text.ts';

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
  'payment.attention': ['bad', TriangleAlert],
  'payment.disputed': ['warn', ShieldAlert],
  'payment.charged_back': ['bad', Flag],
  'dispute.opened': ['warn', ShieldAlert],
  'dispute.won': ['good', CircleCheck],
  'dispute.lost': ['bad', Flag],
  'dispute.prevented': ['plain', RotateCcw],
  'checkout.opened': ['plain', Eye],
  'item.add': ['plain', Send],
  'item.remove': ['plain', PackageMinus],
  'receipt.created': ['plain', Mail],
  'receipt.sent': ['plain', Mail],
  not_kept: ['plain', Archive],
  person: ['plain', UserRound],
};

function lookOf(entry: TimelineEntry): readonly [StepTone, LucideIcon] {
  if (isAttempt(entry)) return wasAccepted(entry) ? ['good', PackageCheck] : ['warn', PackageX];
  if (entry.kind.endsWith('.end')) return wasAccepted(entry) ? ['good', PackageCheck] : ['bad', PackageX];
  return LOOKS[entry.kind] ?? ['plain', CircleCheck];
}

/** Everything that happened to a purchase, oldest first. */
export const PurchaseTimeline = ({ entries }: { entries: readonly TimelineEntry[] }) => (
  <Timeline>
    {entries.filter(isShown).map((entry, index) => {
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
              <TextWithCode text={about.join(' · ')} />
              {isAttempt(entry) && entry.delivery_id && (
                <>
                  {about.length > 0 && ' · '}
                  <EnvLink to="integration/deliveries/$deliveryId" params={{ deliveryId: entry.delivery_id }}>
                    {t('timeline.delivery')}
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
