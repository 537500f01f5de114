import { givenRows, jsonOrNull, type RowOf, rowsOf, sql, type Tx } from '../../../db/statement.ts';
import type { Exchange } from '../sending/exchange.ts';
import { keptBody, keptRequestHeaders, keptResponseHeaders } from './attempt.sql.ts';
import { DELIVERIES, type Delivery, type Outcome } from './delivery.sql.ts';

/** How one attempt ended, with what is kept of it. */
export interface Ending {
  delivery: Delivery;
  outcome: Outcome;
  /** Null when the subscription keeps no log. */
  log: { url: string; headers: Headers; exchange: Exchange } | null;
}

const SETTLED = DELIVERIES.pick('environmentId, id, orderId, lane, subscriptionId, status');

export type SettledRow = RowOf<typeof SETTLED>;

type Headers = Record<string, string>;

/** One level deep: what lies inside another value would be read twice. */
const ENDINGS = rowsOf({
  environmentId: 'text',
  id: 'text',
  claimId: 'text?',
  attempt: 'int',
  status: 'text',
  nextInSeconds: 'float8',
  early: 'int',
  lastStatus: 'int?',
  lastError: 'text?',
  url: 'text?',
  requestHeaders: jsonOrNull<Headers>(),
  durationMs: 'int?',
  responseStatus: 'int?',
  responseHeaders: jsonOrNull<Headers>(),
  responseBody: 'text?',
  error: 'text?',
});

const rowOf = ({ delivery, outcome, log }: Ending): RowOf<typeof ENDINGS> => ({
  environmentId: delivery.environmentId,
  id: delivery.id,
  claimId: delivery.claimId,
  attempt: delivery.attemptsMade,
  status: outcome.status,
  nextInSeconds: (outcome.nextInMs ?? 0) / 1000,
  early: outcome.isEarly ? 1 : 0,
  lastStatus: outcome.lastStatus,
  lastError: outcome.lastError,
  url: log?.url ?? null,
  requestHeaders: log && keptRequestHeaders(log.headers),
  durationMs: log && Math.round(log.exchange.durationMs),
  responseStatus: log?.exchange.status ?? null,
  responseHeaders: log && keptResponseHeaders(log.exchange),
  responseBody: log && keptBody(log.exchange),
  error: log?.exchange.error ?? null,
});

/** Many endings in one statement, each fenced by its claim. Answers those that counted. */
export const updateOutcomes = (tx: Tx, endings: Ending[]): Promise<SettledRow[]> =>
  tx.query(sql('delivery_outcomes')`
    with input as (
      select ${ENDINGS.names} from ${givenRows(ENDINGS.types, endings.map(rowOf))} as t
    ), settled as (
      update deliveries_observer d set status = i.status, claim_id = null, claimed_until = null, last_status = i.last_status,
        last_error = i.last_error,
        next_attempt_at = case when i.status = 'pending'
          then app_now() + make_interval(secs => greatest(0, i.next_in_seconds - d.skip_seconds)) end,
        skip_seconds = greatest(0, d.skip_seconds - i.next_in_seconds), early_attempts = d.early_attempts + i.early,
        regular_at = null, was_released = d.was_released and i.early = 1,
        finished_at = case when i.status in ('pending', 'blocked', 'held') then null else app_now() end
      from input i
      where d.environment_id = i.environment_id and d.id = i.id and d.claim_id = i.claim_id
      returning d.environment_id, d.id, d.order_id, d.lane, d.subscription_id, d.status, i.attempt, i.url, i.request_headers,
        i.duration_ms, i.response_status, i.response_headers, i.response_body, i.error
    ), logged as (
      insert into delivery_attempts (environment_id, delivery_id, attempt, started_at, duration_ms, url, status,
                                     request_headers, response_headers, response_body, error)
      select environment_id, id, attempt, app_now() - make_interval(secs => duration_ms / 1000.0), duration_ms, url,
             response_status, request_headers, response_headers, response_body, error
      from settled where url is not null
      on conflict do nothing
    )
    select ${SETTLED.columns} from settled`);
