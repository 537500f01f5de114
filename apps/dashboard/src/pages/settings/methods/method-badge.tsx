import type { DashboardMethod } from '@coinslot/contract';
import { CreditCard, HandCoins, Landmark, ReceiptText, Wallet } from 'lucide-react';

const ICONS = {
  card: CreditCard,
  wallet: Wallet,
  bank: Landmark,
  later: HandCoins,
  debit: Landmark,
  voucher: ReceiptText,
} as const;

/** Draws letters on the brand's color, so that the dashboard loads no images from elsewhere. */
const BADGES: Readonly<Record<string, readonly [letters: string, color: string, ink: '#fff' | '#10131a']>> = {
  apple_pay: ['Pay', '#000000', '#fff'],
  google_pay: ['G Pay', '#3c4043', '#fff'],
  paypal: ['PP', '#003087', '#fff'],
  link: ['link', '#00d66f', '#10131a'],
  amazon_pay: ['a', '#ff9900', '#10131a'],
  cashapp: ['$', '#00d632', '#10131a'],
  revolut_pay: ['R', '#191c1f', '#fff'],
  mobilepay: ['MP', '#5a78ff', '#10131a'],
  satispay: ['S', '#ff3d00', '#10131a'],
  mb_way: ['MB', '#c8102e', '#fff'],
  kbc: ['KBC', '#003665', '#fff'],
  twint: ['TW', '#262626', '#fff'],
  swish: ['SW', '#00765a', '#fff'],
  alipay: ['支', '#1256c4', '#fff'],
  wechat_pay: ['微', '#07c160', '#10131a'],
  grabpay: ['Grab', '#00752f', '#fff'],
  kakao_pay: ['kp', '#ffeb00', '#10131a'],
  naver_pay: ['N', '#03c75a', '#10131a'],
  ideal: ['iD', '#cc0066', '#fff'],
  bancontact: ['BC', '#005498', '#fff'],
  eps: ['eps', '#71215c', '#fff'],
  p24: ['P24', '#b81237', '#fff'],
  blik: ['blik', '#000000', '#fff'],
  fpx: ['FPX', '#1f4690', '#fff'],
  upi: ['UPI', '#097939', '#fff'],
  pix: ['pix', '#0a6e64', '#fff'],
  paynow: ['PN', '#7c1a78', '#fff'],
  promptpay: ['PP', '#1a4782', '#fff'],
  klarna: ['K.', '#ffb3c7', '#10131a'],
  afterpay_clearpay: ['A', '#b2fce4', '#10131a'],
  affirm: ['aff', '#4a4af4', '#fff'],
  multibanco: ['MB', '#2f5d94', '#fff'],
  oxxo: ['OXXO', '#c8102e', '#fff'],
  boleto: ['BOL', '#10131a', '#fff'],
  konbini: ['コ', '#b3261e', '#fff'],
  sepa_debit: ['SEPA', '#10298e', '#fff'],
};

type BadgedMethod = Pick<DashboardMethod, 'id' | 'group'>;

/** The method's name stands beside the badge, so screen readers skip the badge. */
export function MethodBadge({ method }: { method: BadgedMethod }) {
  const mark = BADGES[method.id];
  if (!mark) {
    const Icon = ICONS[method.group];
    return (
      <span aria-hidden className="grid h-7 w-11 shrink-0 place-items-center rounded-sm bg-sunk text-soft">
        <Icon size={18} />
      </span>
    );
  }
  const [letters, color, ink] = mark;
  return (
    <span
      aria-hidden
      className="grid h-7 w-11 shrink-0 place-items-center rounded-sm text-12 font-semibold"
      style={{ backgroundColor: color, color: ink }}
    >
      {letters}
    </span>
  );
}
