import {
  ArrowLeftRight,
  Boxes,
  Building2,
  ChartColumn,
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
  Settings,
  ShoppingBag,
  SlidersHorizontal,
  TriangleAlert,
  UserRound,
  Users,
  WalletCards,
  Webhook,
} from 'lucide-react';
import type { Permission } from '../kit/permissions.ts';
import type { TextKey } from '../texts/texts.ts';
import { language, t } from '../texts/texts.ts';

export interface Destination {
  to: string;
  label: TextKey & `nav.${string}`;
  icon: LucideIcon;
  /** What a member must be allowed to do to see anything on the page. */
  needs?: Permission;
  /** Also shown in the bar at the bottom of a phone. */
  inBottomBar?: boolean;
}

export interface Group {
  label: (TextKey & `nav.${string}`) | null;
  entries: readonly Destination[];
}

const MAIN: readonly Group[] = [
  {
    label: null,
    entries: [
      { to: '', label: 'nav.home', icon: House, inBottomBar: true },
      { to: 'attention', label: 'nav.attention', icon: TriangleAlert },
      { to: 'transactions', label: 'nav.transactions', icon: ArrowLeftRight, inBottomBar: true },
      { to: 'orders', label: 'nav.orders', icon: ShoppingBag, inBottomBar: true },
      { to: 'players', label: 'nav.players', icon: UserRound, inBottomBar: true },
      { to: 'items', label: 'nav.items', icon: Boxes },
    ],
  },
  {
    label: 'nav.integration',
    entries: [
      { to: 'integration/keys', label: 'nav.keys', icon: KeyRound, needs: 'manageKeys' },
      { to: 'integration/webhooks', label: 'nav.webhooks', icon: Webhook },
      { to: 'integration/deliveries', label: 'nav.deliveries', icon: ScrollText },
      { to: 'integration/exam', label: 'nav.exam', icon: GraduationCap },
      { to: 'integration/sandbox', label: 'nav.sandboxTools', icon: FlaskConical, needs: 'useSandboxTools' },
    ],
  },
];

/** Where the settings begin. Within them, their own navigation stands in place of the main one. */
const SETTINGS_ENTRY: Destination = { to: 'settings/company', label: 'nav.company', icon: Settings };

const SETTINGS: Group = {
  label: 'nav.company',
  entries: [
    { to: 'settings/company', label: 'nav.companyAndGames', icon: Building2 },
    { to: 'settings/methods', label: 'nav.methods', icon: WalletCards },
    { to: 'settings/provider', label: 'nav.provider', icon: Gauge },
    { to: 'settings/reconciliation', label: 'nav.reconciliation', icon: Scale, needs: 'compareDay' },
    { to: 'settings/appearance', label: 'nav.appearance', icon: Palette },
    { to: 'settings/receipts', label: 'nav.receipts', icon: Mail },
    { to: 'settings/grant-rules', label: 'nav.grantRules', icon: SlidersHorizontal },
    { to: 'settings/team', label: 'nav.team', icon: Users },
    { to: 'settings/audit', label: 'nav.audit', icon: History, needs: 'readAudit' },
  ],
};

/** Reached from the home page, and by its name. */
const FIGURES: Destination = { to: 'figures', label: 'nav.figures', icon: ChartColumn };

/** Reached from what needs attention, and by its name. */
const GRANTS: Destination = { to: 'grants', label: 'nav.grants', icon: Hourglass };

export const DESTINATIONS: readonly Destination[] = [
  ...MAIN.flatMap(({ entries }) => entries),
  FIGURES,
  GRANTS,
  ...SETTINGS.entries,
];

type May = (act: Permission) => boolean;

const visibleTo =
  (may: May) =>
  ({ needs }: Destination): boolean =>
    needs === undefined || may(needs);

/** A member's own profile is no setting of the company. */
export const isInSettings = (path: string): boolean => /^\/g\/[^/]+\/[^/]+\/settings\/(?!profile)/.test(path);

/** What a member sees at the side of a page: nothing that their role may not open. */
export function navigationAt(path: string, may: May): readonly Group[] {
  const groups = isInSettings(path) ? [SETTINGS] : [...MAIN, { label: null, entries: [SETTINGS_ENTRY] }];
  return groups.map(({ label, entries }) => ({ label, entries: entries.filter(visibleTo(may)) }));
}

/** Finds pages whose name contains the text, ignoring case. An empty text finds all. */
export function searchPages(text: string, may: May): readonly Destination[] {
  const wanted = text.trim().toLocaleLowerCase(language);
  return DESTINATIONS.filter(visibleTo(may)).filter(({ label }) =>
    t(label).toLocaleLowerCase(language).includes(wanted),
  );
}
