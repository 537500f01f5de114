import { newBrowser, signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import type { TestDatabase } from '@coinslot/testing/database';
import { MASTER_KEY } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { sql } from '../../apps/server/src/db/statement.ts';
import { openGame } from '../../apps/server/src/domain/game/open-game.ts';
import {
  upsertMethodSwitch,
  upsertRoute,
} from '../../apps/server/src/domain/payment/merchant-accounts/company-choices.sql.ts';
import { createSeal } from '../../apps/server/src/kit/seal.ts';

const SEAL = createSeal(MASTER_KEY);

type Account = Awaited<ReturnType<typeof registerTestAccount>>;

/** The live environment of a game that only one history plays in. */
export interface LabGame {
  gameId: string;
  environmentId: string;
  s2sKey: string;
}

/** One company for all histories: each has a game of its own, and so everything that could meet. */
export class Company {
  readonly #database: TestDatabase;
  readonly #account: Account;
  #cookie: string;
  #apps = 0;
  readonly #browsers = new Map<string, Promise<TestBrowser>>();
  #signingIn: Promise<void> | null = null;

  private constructor(database: TestDatabase, account: Account, cookie: string) {
    this.#database = database;
    this.#account = account;
    this.#cookie = cookie;
  }

  static async register(database: TestDatabase, url: string): Promise<Company> {
    const account = await registerTestAccount(database.db, SEAL);
    // The one method of the lab that takes days is off until a studio wants it.
    await database.db.transaction(async tx => {
      await upsertMethodSwitch(tx, account.companyId, 'sepa_debit', true);
      // Stripe could take it too.
      await upsertRoute(tx, account.companyId, 'paypal', 'paypal');
    });
    const { browser } = await signedInMember({ database, account, url }, 'owner');
    return new Company(database, account, browser.cookie!);
  }

  /** As eight attempts in a row without an answer leave it, for orders that no history is about. */
  failEndpoint(environmentId: string): Promise<void> {
    return this.#database.db.execute(sql('lab_fail_endpoint')`
      insert into endpoint_health (endpoint, environment_id, lane, state, first_failed, failing_since, next_probe_at, slots, failures)
      values (${environmentId}, ${environmentId}, 'items', 'down', 'ord_of_another_player', app_now(), app_now() + interval '5 seconds', 1, 8)
      on conflict (endpoint) do update set state = 'down', back_at = null, is_released = false, slots = 1, answered = 0,
        next_probe_at = excluded.next_probe_at`);
  }

  /** In one transaction: a hundred of them take a moment. */
  openGames(count: number): Promise<LabGame[]> {
    const { companyId, storeLink, gameName: name } = this.#account;
    return this.#database.db.transaction(async tx => {
      const games: LabGame[] = [];
      for (let i = 0; i < count; i++) {
        const appId = String(++this.#apps);
        const { gameId, live } = await openGame(tx, SEAL, { companyId, name, storeLink: { ...storeLink, appId } });
        games.push({ gameId, ...live });
      }
      return games;
    });
  }

  /** Days have passed, and the member's session has ended. */
  async signInAgain(url: string, ended: TestBrowser): Promise<void> {
    if ((await this.browserAt(url)) !== ended) return;
    this.#signingIn ??= (async () => {
      const { browser } = await signedInMember({ database: this.#database, account: this.#account, url }, 'owner');
      this.#cookie = browser.cookie!;
      this.#browsers.clear();
    })().finally(() => {
      this.#signingIn = null;
    });
    await this.#signingIn;
  }

  /** A member's browser with the dashboard of one program open. */
  browserAt(url: string): Promise<TestBrowser> {
    const known = this.#browsers.get(url);
    if (known) return known;
    const opening = (async () => {
      const browser = newBrowser(url, this.#cookie);
      await browser.open();
      return browser;
    })();
    this.#browsers.set(url, opening);
    // The program died meanwhile: the next one is asked again.
    opening.catch(() => this.#browsers.delete(url));
    return opening;
  }
}
