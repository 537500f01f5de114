import { Readable } from 'node:stream';
import { type ChangeKind, dashboardEndpoints as calls } from '@coinslot/contract';
import { findRates, type Rates } from '../../../domain/company/company.sql.ts';
import { changeRates } from '../../../domain/company/rates.ts';
import { roleIn } from '../../../domain/company/sso/role-in.ts';
import { findEnvironmentAccess } from '../../../domain/game/environment.sql.ts';
import { readFigures } from '../../../domain/reporting/figures/read-figures.ts';
import { readHome } from '../../../domain/reporting/figures/read-home.ts';
import { inboxReader } from '../../../domain/reporting/inbox/read-inbox.ts';
import { type ChangeWatch, createChangeWatch } from '../../../domain/reporting/timeline/watch-changes.ts';
import { findSession } from '../../../domain/user/session.sql.ts';
import { addressKey } from '../../../http/rate-limit.ts';
import { sha256 } from '../../../kit/seal.ts';
import { type DashboardMount, type DashboardShop, type EnvironmentContext, listsOf } from '../define-route.ts';

/** Proxies cut idle connections, and the browser must hear that the server lives; with each beat the session is checked again. */
const BEAT_MS = 5_000;
/** Tabs of one member, and members of one office. */
const MOST_FOR_MEMBER = 12;
const MOST_FOR_ADDRESS = 200;

/** Whether the session is still valid and the member still has the role with which the stream was opened. */
async function mayStay({ db }: DashboardShop, context: EnvironmentContext): Promise<boolean> {
  const { cookie, environment, role } = context;
  const signedIn = await findSession(db, sha256(cookie));
  if (!signedIn) return false;
  const access = await findEnvironmentAccess(db, signedIn, environment.gameId, environment.mode);
  return access !== null && !access.isEnded && roleIn(signedIn, access) === role;
}

const eventText = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

export interface ChangeStreamOptions {
  /** A newer stream took the place of this one. */
  ended?: AbortSignal;
  watch: ChangeWatch;
  beatMs?: number;
}

/** Names the lists that changed, until the browser leaves, the session ends or the program stops. */
async function* changeStream(
  shop: DashboardShop,
  context: EnvironmentContext,
  { watch, beatMs = BEAT_MS, ended }: ChangeStreamOptions,
): AsyncGenerator<string> {
  const changed = new Set<ChangeKind>();
  let wake = (): void => {};
  ended?.addEventListener('abort', () => wake());
  const stop = watch.watch(context.environment.id, lists => {
    for (const list of lists) changed.add(list);
    wake();
  });
  try {
    yield `retry: 2000\n\n${eventText('beat', {})}`;
    let beatAt = shop.clock.nowMs() + beatMs;
    for (;;) {
      const leftMs = Math.max(0, beatAt - shop.clock.nowMs());
      const woken = new Promise<void>(resolve => {
        wake = resolve;
      });
      // The wait also ends when the program does.
      if (changed.size === 0) await Promise.race([woken, shop.signals.wait('dashboard', Math.min(leftMs, beatMs))]);
      if (shop.signals.isEnding() || ended?.aborted) return;
      if (shop.clock.nowMs() >= beatAt) {
        if (!(await mayStay(shop, context))) {
          yield eventText('end', { reason: 'access' });
          return;
        }
        beatAt = shop.clock.nowMs() + beatMs;
        yield eventText('beat', {});
      }
      if (changed.size > 0) {
        const lists = [...changed];
        changed.clear();
        yield eventText('changed', { lists });
      }
    }
  } finally {
    stop();
  }
}

const ratesView = (rates: Rates | null) => ({
  currency: rates?.currency ?? null,
  rates: Object.entries(rates?.rates ?? {}).map(([currency, rate]) => ({ currency, rate })),
});

export function mountHome(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.getHome, (context, { query }) =>
    readHome(listsOf(shop, context), inboxReader(context), {
      utcOffsetMinutes: query.utc_offset_minutes ?? 0,
      ...(query.from !== undefined && { from: query.from }),
      ...(query.to !== undefined && { to: query.to }),
    }),
  );

  mount(calls.getFigures, (context, { query }) => readFigures(listsOf(shop, context), context.environment, query));

  mount(calls.getRates, async ({ company }) => ratesView(await findRates(shop.db, company.id)));

  mount(calls.putRates, async ({ company, actor }, { body }) =>
    ratesView(await changeRates(shop, actor, company.id, body)),
  );

  const { db, onError, replica } = shop;
  const watch = createChangeWatch({ db, onError, ...(replica && { caughtUp: replica.caughtUp }) });

  mount(calls.streamChanges, async (context, { setHeader }) => {
    setHeader('x-accel-buffering', 'no');
    const newer = new AbortController();
    const freeStream = await shop.streamCounts.open(context.company.id, shop.budgets.limits.streams);
    const leave = shop.connectionSlots.hold(
      [
        { name: `member ${context.signedIn.userId}`, most: MOST_FOR_MEMBER },
        { name: `stream ${addressKey(context.ip)}`, most: MOST_FOR_ADDRESS },
      ],
      () => newer.abort(),
    );
    const stream = Readable.from(changeStream(shop, context, { watch, ended: newer.signal }), { objectMode: true });
    return stream.once('close', () => {
      leave();
      freeStream();
    });
  });
}
