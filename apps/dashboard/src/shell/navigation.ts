import {
  ArrowLeftRight,
  Boxes,
  Building2,
  FlaskConical,
  Gauge,
  GraduationCap,
  History,
  Hourglass,
  House,
  KeyRound,
  type LucideIcon,
  Mail,
  Palette,
  Scale,
  ScrollText,
  ShoppingBag,
  SlidersHorizontal,
  TriangleAlert,
  UserRound,
  Users,
  WalletCards,
  Webhook,
} from 'lucide-react';
import type { TextKey } from '../texts/texts.ts';
import { language, t } from '../texts/texts.ts';

export interface Destination {
  to: string;
  label: TextKey & `nav.${string}`;
  icon: LucideIcon;
  /** Also shown in the bar at the bottom of a phone. */
  inBottomBar?: boolean;
}

export interface Group {
  label: (TextKey & `nav.${string}`) | null;
  entries: readonly Destination[];
}

export const GROUPS: readonly Group[] = [
  {
    label: null,
    entries: [
      { to: '', label: 'nav.home', icon: House, inBottomBar: true },
      { to: 'attention', label: 'nav.attention', icon: TriangleAlert },
      { to: 'transactions', label: 'nav.transactions', icon: ArrowLeftRight, inBottomBar: true },
      { to: 'orders', label: 'nav.orders', icon: ShoppingBag, inBottomBar: true },
      { to: 'grants', label: 'nav.grants', icon: Hourglass },
      { to: 'players', label: 'nav.players', icon: UserRound, inBottomBar: true },
      { to: 'items', label: 'nav.items', icon: Boxes },
    ],
  },
  {
    label: 'nav.integration',
    entries: [
      { to: 'integration/keys', label: 'nav.keys', icon: KeyRound },
      { to: 'integration/webhooks', label: 'nav.webhooks', icon: Webhook },
      { to: 'integration/deliveries', label: 'nav.deliveries', icon: ScrollText },
      { to: 'integration/exam', label: 'nav.exam', icon: GraduationCap },
      { to: 'integration/sandbox', label: 'nav.sandboxTools', icon: FlaskConical },
    ],
  },
  {
    label: 'nav.company',
    entries: [
      { to: 'settings/company', label: 'nav.companyAndGames', icon: Building2 },
      { to: 'settings/methods', label: 'nav.methods', icon: WalletCards },
      { to: 'settings/provider', label: 'nav.provider', icon: Gauge },
      { to: 'settings/reconciliation', label: 'nav.reconciliation', icon: Scale },
      { to: 'settings/appearance', label: 'nav.appearance', icon: Palette },
      { to: 'settings/receipts', label: 'nav.receipts', icon: Mail },
      { to: 'settings/grant-rules', label: 'nav.grantRules', icon: SlidersHorizontal },
      { to: 'settings/team', label: 'nav.team', icon: Users },
      { to: 'settings/audit', label: 'nav.audit', icon: History },
    ],
  },
];

export const DESTINATIONS: readonly Destination[] = GROUPS.flatMap(({ entries }) => entries);

/** Finds pages whose name contains the text, ignoring case. An empty text finds all. */
export function searchPages(text: string): readonly Destination[] {
  const wanted = text.trim().toLocaleLowerCase(language);
  return DESTINATIONS.filter(({ label }) => t(label).toLocaleLowerCase(language).includes(wanted));
}
