/** What Mollie's answers hold, as far as this folder reads them. Words and nesting are Mollie's. */
export interface MollieMoney {
  currency: string;
  value: string;
}

interface MollieLink {
  href: string;
}

export interface MollieCapture {
  id: string;
  status: string;
}

export interface MollieRefund {
  id: string;
  status: string;
  amount: MollieMoney;
  paymentId: string;
  metadata?: unknown;
  createdAt: string;
}

export interface MollieChargeback {
  id: string;
  amount: MollieMoney;
  paymentId: string;
  createdAt: string;
  reason?: { code?: string } | null;
  /** The bank gave the money back to the shop. */
  reversedAt?: string | null;
}

export interface MolliePayment {
  id: string;
  status: string;
  amount: MollieMoney;
  amountRefunded?: MollieMoney | null;
  amountChargedBack?: MollieMoney | null;
  method?: string | null;
  metadata?: unknown;
  countryCode?: string | null;
  createdAt: string;
  expiresAt?: string | null;
  /** Left out once the payment is at its end. */
  isCancelable?: boolean | null;
  statusReason?: { code?: string } | null;
  details?: {
    cardNumber?: string | null;
    cardLabel?: string | null;
    cardCountryCode?: string | null;
    failureReason?: string | null;
  } | null;
  _embedded?: { captures?: MollieCapture[]; refunds?: MollieRefund[]; chargebacks?: MollieChargeback[] };
  _links?: { checkout?: MollieLink };
}

export interface MollieProfile {
  id: string;
  mode: string;
  name?: string;
  status: string;
}

export interface MollieMethod {
  id: string;
  status?: string | null;
}

/** One movement of the balance. `initialAmount` is before and `resultAmount` after what Mollie withheld. */
export interface MollieTransaction {
  id: string;
  type: string;
  resultAmount: MollieMoney;
  initialAmount: MollieMoney;
  createdAt: string;
  context?: Readonly<Record<string, Readonly<Record<string, string | undefined>> | undefined>>;
}

/** A page of a list, the newest first; `next` is the link to the one before it. */
export interface MolliePage<Key extends string, Entry> {
  _embedded: Readonly<Record<Key, Entry[]>>;
  _links: { next?: MollieLink | null };
}
