import { CreditCard, Landmark, Wallet } from 'lucide-react';
import { Fragment } from 'react';
import { formatAgo, formatCountry, formatFullTime, formatTime } from '../kit/format.ts';
import { formatMoney } from '../kit/money.ts';
import { useIsPhone } from '../kit/use-media.ts';
import { useNow } from '../kit/use-now.ts';
import { language, t, tryText } from '../texts/texts.ts';

export const Money = ({ minor, currency, className = '' }: { minor: number; currency: string; className?: string }) => (
  <span className={`whitespace-nowrap ${className}`}>{formatMoney(language, minor, currency)}</span>
);

interface TimeProps {
  /** Unix seconds. */
  at: number;
  className?: string;
}

/** The tooltip shows the full time with its zone. */
const timeAs = (format: (locale: string, at: number, now: number) => string) =>
  function Moment({ at, className = '' }: TimeProps) {
    const now = useNow();
    return (
      <time
        dateTime={new Date(at * 1_000).toISOString()}
        title={formatFullTime(language, at)}
        className={`whitespace-nowrap ${className}`}
      >
        {format(language, at, now)}
      </time>
    );
  };

export const Time = timeAs(formatTime);

/** In a table, the column heading names the zone. A phone's cards have no heading, so they show it. */
export function ColumnTime(props: TimeProps) {
  return useIsPhone() ? <Time {...props} /> : <TimeWithoutZone {...props} />;
}
const TimeWithoutZone = timeAs((locale, at, now) => formatTime(locale, at, now, false));

export const Ago = timeAs(formatAgo);

/** When something is due. Shows "now" while the time has passed and the result is not known yet. */
export const Due = timeAs((locale, at, now) => formatAgo(locale, Math.max(at, now), now));

export const Country = ({ code }: { code: string | null }) =>
  code ? (
    <abbr title={formatCountry(language, code)} className="no-underline">
      {code}
    </abbr>
  ) : (
    <Dash />
  );

/** Screen readers announce that the value is missing. */
export const Dash = () => (
  <span data-missing className="text-faint">
    <span aria-hidden>–</span>
    <span className="sr-only">{t('cell.none')}</span>
  </span>
);

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  discover: 'Discover',
  jcb: 'JCB',
  diners: 'Diners Club',
  unionpay: 'UnionPay',
};

export const brandName = (brand: string): string => BRANDS[brand] ?? brand;

export const methodName = (method: string): string => tryText(`method.${method}`) ?? method;

interface MethodProps {
  method: string;
  brand: string | null;
  last4: string | null;
}

export function Method({ method, brand, last4 }: MethodProps) {
  const Icon = method === 'card' ? CreditCard : /pay$|wallet/.test(method) ? Wallet : Landmark;
  const name = brand ? brandName(brand) : methodName(method);
  return (
    <span className="inline-flex items-center gap-2 align-middle whitespace-nowrap">
      <Icon size={16} aria-hidden className="shrink-0 text-faint" />
      {name}
      {last4 && (
        <span className="text-soft">
          <span aria-hidden>•••• </span>
          <span className="sr-only">{t('cell.endingIn')} </span>
          {last4}
        </span>
      )}
    </span>
  );
}

/** Renders text between backticks as code. */
export const TextWithCode = ({ text }: { text: string }) =>
  text
    .split(/`([^`]+)`/)
    .map((part, at) =>
      at % 2 === 1 ? <Code key={`${at} ${part}`}>{part}</Code> : <Fragment key={`${at} ${part}`}>{part}</Fragment>,
    );

/** For ids and codes, in a font in which 0 and O differ. */
export const Code = ({ children, className = '' }: { children: string; className?: string }) => (
  <code className={`font-mono text-12 ${className}`}>{children}</code>
);
