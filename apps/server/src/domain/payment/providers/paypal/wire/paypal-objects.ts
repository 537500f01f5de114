/** What PayPal's answers hold, as far as this folder reads them. Words and nesting are PayPal's. */
export interface PaypalMoney {
  currency_code: string;
  value: string;
}

export interface PaypalLink {
  href: string;
  rel: string;
}

interface PaypalPayment {
  id: string;
  status: string;
  amount: PaypalMoney;
  seller_protection?: { status?: string };
  processor_response?: { avs_code?: string; cvv_code?: string };
}

export interface PaypalAuthorization extends PaypalPayment {
  create_time?: string;
}

export interface PaypalCapture extends PaypalPayment {
  seller_receivable_breakdown?: { paypal_fee?: PaypalMoney };
  /** Why it is pending, or why PayPal took the money back. */
  status_details?: { reason?: string };
}

export interface PaypalRefund {
  id: string;
  status: string;
  amount?: PaypalMoney;
}

export interface PaypalOrder {
  id: string;
  status: string;
  purchase_units?: {
    payments?: {
      authorizations?: PaypalAuthorization[];
      captures?: PaypalCapture[];
      refunds?: PaypalRefund[];
    };
  }[];
  payment_source?: {
    paypal?: {
      account_status?: string;
      attributes?: { vault?: { id?: string; status?: string; customer?: { id?: string } } };
    };
  };
  links?: PaypalLink[];
}

export interface PaypalDispute {
  dispute_id: string;
  reason?: string;
  status?: string;
  dispute_life_cycle_stage?: string;
  dispute_outcome?: { outcome_code?: string };
  /** What the buyer questions, which may be a part of the payment. */
  dispute_amount?: PaypalMoney;
  money_movements?: { affected_party?: string; amount?: PaypalMoney; type?: string; reason?: string }[];
  seller_response_due_date?: string;
  /** The card network's, where a card was charged. */
  external_reason_code?: string;
  evidences?: { evidence_type?: string; notes?: string; source?: string; documents?: { name?: string }[] }[];
  links?: PaypalLink[];
  disputed_transactions?: { seller_transaction_id?: string }[];
}

export interface PaypalTransaction {
  transaction_info?: {
    transaction_id?: string;
    paypal_reference_id?: string;
    transaction_event_code?: string;
    transaction_status?: string;
    transaction_initiation_date?: string;
    transaction_amount?: PaypalMoney;
    fee_amount?: PaypalMoney;
    invoice_id?: string;
  };
}

export interface PaypalToken {
  access_token: string;
  expires_in: number;
  scope?: string;
}

export const paymentsOf = (order: PaypalOrder) => order.purchase_units?.[0]?.payments ?? {};

/** Where the player says yes. PayPal has two words for it, an older and a newer one. */
export const approvalUrlOf = ({ links = [] }: Pick<PaypalOrder, 'links'>): string | null =>
  links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href ?? null;
