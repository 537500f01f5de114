import { BookOpen } from 'lucide-react';
import { t } from '../texts/texts.ts';

/** The guide that answers the question a page raises. */
export const GUIDES = {
  webhooks: '/docs/guides/webhook-receiver',
  deliveries: '/docs/guides/webhook-receiver#what-a-receiver-must-do',
  keys: '/docs/guides/first-order',
  goLive: '/docs/guides/go-live',
  methods: '/docs/guides/go-live#4-the-methods',
  orders: '/docs/guides/go-live#many-orders-at-once',
  payouts: '/docs/guides/payouts',
  disputes: '/docs/guides/refunds-and-chargebacks#answer-a-dispute',
  sandbox: '/docs/guides/testing-with-sandbox',
  exam: '/docs/guides/webhook-receiver#take-the-exam',
} as const;

export type Guide = keyof typeof GUIDES;

/** Opens in a new tab, because the page may hold unsaved input. */
export const GuideLink = ({ guide }: { guide: Guide }) => (
  <a
    href={GUIDES[guide]}
    target="_blank"
    rel="noreferrer"
    className="inline-flex items-center gap-1.5 text-link underline-offset-4 hover:underline"
  >
    <BookOpen size={14} aria-hidden className="shrink-0" />
    {t(`guide.${guide}`)}
  </a>
);
