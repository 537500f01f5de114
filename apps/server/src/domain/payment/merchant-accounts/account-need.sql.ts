import type { PaymentStatus } from '@coinslot/contract';
import { fragment, type Queryable, sql, words } from '../../../db/statement.ts';
import { ID_SLACK_MS, idBound } from '../../../kit/ids.ts';
import { paymentStatusesThatAre } from '../payment.ts';
import type { ProviderAccount } from './provider-account.sql.ts';

/** As the column `stage` has them, by which the index finds the few that are not at their end. */
const UNDER_WAY = words(['open', ...paymentStatusesThatAre('under_way')]);

/** A bank may question a payment for this long after it was captured; PayPal's limit, the longest. */
const DISPUTE_DAYS = fragment`interval '180 days'`;

/** What an account's keys are still needed for. */
export interface AccountNeed {
  /** Payments that are not at their end. */
  open: number;
  /** Until when the last captured payment can be refunded or disputed; null: none can. */
  until: Date | null;
}

type AccountKey = Pick<ProviderAccount, 'companyId' | 'provider' | 'accountId'>;

/** Ids follow time: what other accounts took since this one was left need not be read to find the last that it took. */
const endOfIds = (leftAt: Date | null): string => (leftAt ? idBound('pay', leftAt.getTime() + ID_SLACK_MS) : '~');

/** A payment that has just begun has no charge yet: it counts for every account of its provider. */
export const findNeed = (
  db: Queryable,
  { companyId, provider, accountId, leftAt }: AccountKey & Pick<ProviderAccount, 'leftAt'>,
): Promise<AccountNeed> =>
  db.queryFirst(sql('provider_account_need')`
    with own as (
      select e.id from environments e join games g on g.id = e.game_id where g.company_id = ${companyId} and e.mode = 'live')
    select (select count(*)::int from own
              join payments p on p.environment_id = own.id and p.stage in (${UNDER_WAY})
              left join provider_charges c on c.environment_id = p.environment_id and c.payment_id = p.id
            where p.gateway = ${provider} and coalesce(c.account_id, ${accountId}) = ${accountId}) as open,
           (select max(last.captured_at) + ${DISPUTE_DAYS} from own
              cross join lateral (
                select p.captured_at from payments p
                join provider_charges c on c.environment_id = p.environment_id and c.payment_id = p.id
                where p.environment_id = own.id and p.stage = 'succeeded' and p.id < ${endOfIds(leftAt)}
                  and p.gateway = ${provider} and c.account_id = ${accountId}
                order by p.id desc limit 1) last
            where last.captured_at > app_now() - ${DISPUTE_DAYS}) as until`);

export interface OpenPayment {
  environmentId: string;
  id: string;
  orderId: string;
  status: PaymentStatus;
  /** It began so short a while ago that its first call may be on the way. */
  isFresh: boolean;
}

export const listOpenPayments = (
  db: Queryable,
  { companyId, provider, accountId }: AccountKey,
  limit: number,
): Promise<OpenPayment[]> =>
  db.query(sql('provider_account_open_payments')`
    select p.environment_id as "environmentId", p.id, p.order_id as "orderId", p.status,
           p.created_at > app_now() - interval '1 minute' as "isFresh"
    from environments e
    join games g on g.id = e.game_id
    join payments p on p.environment_id = e.id and p.stage in (${UNDER_WAY})
    left join provider_charges c on c.environment_id = p.environment_id and c.payment_id = p.id
    where g.company_id = ${companyId} and e.mode = 'live' and p.gateway = ${provider}
      and coalesce(c.account_id, ${accountId}) = ${accountId}
    order by p.id limit ${limit}`);
