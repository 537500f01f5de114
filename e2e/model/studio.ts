import { PASSWORD } from '@coinslot/testing/dashboard';
import { type Answered, Caller } from './caller.ts';
import type { Company, LabGame } from './company.ts';
import { type LabOrder, newLabOrder } from './lab-order.ts';
import type { BulkAction, History, MemberAction, Step, WebhookChange } from './steps.ts';
import type { Bank, Elsewhere } from './world/bank.ts';
import type { World } from './world/outside.ts';

export interface StudioDeps {
  world: World;
  company: Company;
  /** The program that answers next. */
  url(): string;
  nowSeconds(): number;
  hear: Parameters<Bank['sendCallbacks']>[1]['hear'];
}

const ITEM_EVENTS = ['item.add', 'item.remove'];
/** The first second of 1970: everything that happened. */
const SINCE = 0;
const KEY_SECONDS = 86_400;
const MOST_TRIES = 5;
const PLAYER = 'player_1';
/** After these the money is there all the same. */
const MONEY_BACK: readonly string[] = ['refunded', 'charged_back'];
const HARMLESS: readonly Elsewhere[] = ['captured', 'arrives', 'warned'];

interface BulkRow {
  id: string;
  total: number;
  done: number;
  waiting_count: number;
  refused_count: number;
  finished_at: number | null;
}

type Webhook = { id: string; isEnabled: boolean | null };

/** One history's own game, environment and people. */
export class Studio {
  readonly orders: LabOrder[] = [];
  readonly game: LabGame;
  readonly bank: Bank;
  readonly #deps: StudioDeps;
  readonly #caller: Caller;
  readonly #deleted: string[] = [];
  readonly #bulks: { id: string; orderIds: string[] }[] = [];
  #webhook: Webhook | null = null;
  #address = 0;

  constructor(deps: StudioDeps, game: LabGame, { provider }: History) {
    const { world } = deps;
    this.#deps = deps;
    this.game = game;
    this.bank = world[provider];
    if (provider !== 'books') world.wiredEnvironments.add(game.environmentId);
    this.#caller = new Caller(deps.url, game.s2sKey);
  }

  get surprises(): readonly string[] {
    return this.#caller.surprises;
  }

  async open({ orders }: History): Promise<void> {
    await this.#createWebhook();
    for (const [number, kind] of orders.entries()) await this.#createOrder(number, kind === 'free' ? 0 : 499 + number);
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'webhook') return this.#changeWebhook(step.change);
    if (step.do === 'at once') return void (await Promise.all(step.steps.map(one => this.take(one))));
    if (step.do === 'bulk') return this.#startBulk(step.action);
    if (step.do === 'erase') return this.#erase();
    if (step.do === 'later' || step.do === 'kill' || step.do === 'wait') return;
    const order = this.orders[step.order] ?? this.orders[0];
    if (!order) return;
    const { world } = this.#deps;
    switch (step.do) {
      case 'pay':
        return this.#pay(order, step);
      case 'pay saved':
        return this.#paySaved(order);
      case 'give up':
        order.excuses.add('player');
        await this.#caller.post(`${order.path}/give-up`, {});
        return;
      case 'challenge': {
        if (step.answer === 'fail') order.excuses.add('player');
        const { part, fields } = this.bank.challenge(order.id, step.answer);
        if (fields) await this.#caller.post(order.path + part, fields);
        else await this.#caller.text(order.path + part);
        return;
      }
      case 'look':
        return this.#look(order);
      case 'create again':
        return this.#createAgain(order, step.body);
      case 'game':
        if (step.mood === 'no') order.excuses.add('game');
        if (step.mood === 'gone') for (const one of this.orders) one.excuses.add('endpoint');
        return void world.game.moods.set(order.id, step.mood);
      case 'member':
        return this.#act(order, step.action);
      case 'provider':
        if (step.fault === 'refuse_for_good' && step.call !== 'refund') order.excuses.add('provider');
        if (step.fault.startsWith('refuse') && step.call !== 'capture') order.isReturnHindered = true;
        return this.bank.plan(order.id, step.call, step.fault, step.times);
      case 'elsewhere':
        return this.#happen(order, step);
      case 'hear':
        return this.bank.sendCallbacks(order.id, this.#deps, step);
    }
  }

  async #happen(order: LabOrder, { what, callback }: Extract<Step, { do: 'elsewhere' }>): Promise<void> {
    if (!this.bank.happen(order.id, what)) return;
    if (!HARMLESS.includes(what)) order.excuses.add('provider');
    if (callback === 'now') await this.bank.sendCallbacks(order.id, this.#deps, { times: 1, isReversed: false });
    if (callback === 'never' && this.bank.loseCallbacks(order.id)) order.isCallbackLost = true;
  }

  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered | null> {
    return this.#caller.call(method, path, body, headers);
  }

  /** The page as the player sees it. */
  read(order: LabOrder): Promise<string | null> {
    return this.#caller.text(order.path);
  }

  /** Every page of a list that needs attention, by the id that it names. */
  async listAttention(): Promise<{ orders: string[]; payments: string[]; shown: string[] } | null> {
    const { gameId } = this.game;
    const [orders, payments, shown] = await Promise.all([
      this.call('GET', '/s2s/v1/orders?attention=true&limit=100'),
      this.call('GET', '/s2s/v1/payments?attention=true&limit=100'),
      this.#dashboard('GET', `/games/${gameId}/live/attention?limit=100`),
    ]);
    if (orders?.status !== 200 || payments?.status !== 200 || shown?.status !== 200) {
      this.#caller.surprises.push(
        `no list of what needs attention: ${orders?.status} ${payments?.status} ${shown?.status}`,
      );
      return null;
    }
    const ids = ({ body }: Answered, name: string): string[] =>
      (body.data as Record<string, string>[]).map(one => one[name]!);
    return {
      orders: ids(orders, 'order_id'),
      payments: ids(payments, 'payment_id'),
      shown: ids(shown, 'payment_id'),
    };
  }

  /** What callers were told about the webhook, and is not so. */
  async wrongAboutWebhooks(): Promise<string[]> {
    const wrong: string[] = [];
    for (const id of this.#deleted) {
      const answer = await this.call('GET', `/s2s/v1/webhooks/${id}`);
      if (answer && answer.status !== 404) wrong.push(`the webhook ${id} was deleted, and is there`);
    }
    if (this.#webhook?.isEnabled !== false) return wrong;
    const answer = await this.call('GET', `/s2s/v1/webhooks/${this.#webhook.id}`);
    if (answer && answer.body.enabled !== false) wrong.push('the webhook was disabled, and is enabled');
    return wrong;
  }

  /** A member in the dashboard of the program that answers next. Null: it died. */
  async #dashboard(method: string, path: string, body?: unknown, isAgain = false): Promise<Answered | null> {
    const { company } = this.#deps;
    try {
      const url = this.#deps.url();
      const browser = await company.browserAt(url);
      const { status, body: answer } = await browser.call(method, path, body);
      if (status === 401 && !isAgain) {
        await company.signInAgain(url, browser);
        return await this.#dashboard(method, path, body, true);
      }
      if (status >= 500 && status !== 503)
        this.#caller.surprises.push(`${method} ${path}: ${status} ${JSON.stringify(answer).slice(0, 300)}`);
      return { status, body: answer };
    } catch {
      return null;
    }
  }

  async #createWebhook(): Promise<void> {
    const url = `http://127.0.0.1:8080/hooks/${this.game.environmentId}/${++this.#address}`;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const made = await this.call('POST', '/s2s/v1/webhooks', { url, events: ITEM_EVENTS });
      // It was made before, and only the answer did not come: then there is one already.
      if (made?.status === 409) return;
      if (made?.status === 201) {
        this.#webhook = { id: String(made.body.id), isEnabled: true };
        return;
      }
      if (made) this.#caller.surprises.push(`no webhook: ${JSON.stringify(made.body)}`);
    }
  }

  async #createOrder(number: number, amountMinor: number): Promise<void> {
    const body = {
      // The same player, so that a saved method serves the next order too.
      player_id: PLAYER,
      items: [{ sku: `gems_${number}` }],
      price_decimal: amountMinor / 100,
      currency: 'EUR',
      country: 'NL',
    };
    const key = `${this.game.environmentId}-${number}`;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const made = await this.call('POST', '/s2s/v1/orders', body, { 'idempotency-key': key });
      if (made?.status !== 201) continue;
      const createdAtSeconds = this.#deps.nowSeconds();
      this.orders.push(
        newLabOrder({
          id: String(made.body.order_id),
          path: new URL(String(made.body.checkout_url)).pathname,
          amountMinor,
          body,
          key,
          createdAtSeconds,
          expiresAtSeconds: Number(made.body.expires_at ?? createdAtSeconds + KEY_SECONDS),
        }),
      );
      return;
    }
  }

  /** For as long as the key is kept, the same body gets the same answer and another one is refused. */
  async #createAgain(order: LabOrder, body: 'same' | 'other'): Promise<void> {
    const since = (): number => this.#deps.nowSeconds() - order.createdAtSeconds;
    if (since() >= KEY_SECONDS - 60) return;
    const sent = body === 'same' ? order.body : { ...order.body, player_id: 'player_2' };
    const answer = await this.call('POST', '/s2s/v1/orders', sent, { 'idempotency-key': order.key });
    if (!answer || since() >= KEY_SECONDS - 60) return;
    // The amount that was captured takes the place of the price only where a member accepted it.
    const isPrice = answer.body.amount === order.amountMinor || order.captureAccepted;
    const isRight =
      body === 'same'
        ? answer.status === 201 && answer.body.order_id === order.id && isPrice
        : answer.status === 409 && answer.body.code === 'idempotency_key_reused';
    if (!isRight)
      this.#caller.surprises.push(`created again: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
  }

  async #pay(order: LabOrder, { outcome, tabs, isSaved }: Extract<Step, { do: 'pay' }>): Promise<void> {
    const isFree = order.amountMinor === 0;
    if (outcome === 'other_amount') order.excuses.add('provider');
    const part = isFree ? '/claim' : '/pay';
    await Promise.all(
      Array.from({ length: tabs }, () => {
        const fields = isFree ? {} : this.bank.expect(order.id, outcome, isSaved);
        return this.#caller.postUntilAnswered(order.path + part, fields);
      }),
    );
    // Where the provider has a page of its own, the player goes there and comes back.
    if (!isFree && this.bank.visit(order.id, outcome)) await this.#caller.text(`${order.path}/return`);
  }

  /** One tap, with what the page offers. */
  async #paySaved(order: LabOrder): Promise<void> {
    const page = await this.#caller.text(order.path);
    const saved = /name="saved" value="(\w+)"/.exec(page ?? '')?.[1];
    if (saved) await this.#caller.post(`${order.path}/pay`, { saved });
  }

  async #look(order: LabOrder): Promise<void> {
    await this.#caller.text(order.path);
    const answer = await this.call('GET', `/s2s/v1/orders/${order.id}`);
    if (answer?.status !== 200) return;
    order.answered.push(String(answer.body.status));
    // The amount that was captured takes the place of the price only where a member accepted it.
    if (answer.body.amount !== order.amountMinor && !order.captureAccepted)
      this.#caller.surprises.push(`${order.id}: created for ${order.amountMinor}, now ${String(answer.body.amount)}`);
  }

  async #act(order: LabOrder, action: MemberAction): Promise<void> {
    // Said before the answer: it may be lost, and what it asked for done all the same.
    if (action !== 'retry' && action !== 'ask_again') order.excuses.add('member');
    if (action === 'cancel' || action === 'refund') {
      const answer = await this.call('POST', `/s2s/v1/orders/${order.id}/${action}`, {});
      this.#expectSame(order, action, answer);
      if (answer?.status !== 200) return;
      if (action === 'cancel') order.canceled = true;
      else order.refundAccepted = true;
      order.answered.push(String(answer.body.status));
      return;
    }
    const base = `/games/${this.game.gameId}/live`;
    if (action === 'release' || action === 'retry') {
      const grants = await this.#dashboard('GET', `${base}/grants`);
      const data = (grants?.body.data ?? []) as { delivery_id: string; order_id: string }[];
      const grant = data.find(({ order_id }) => order_id === order.id);
      const body = action === 'release' ? { reason: 'The player asked.' } : undefined;
      if (grant) await this.#dashboard('POST', `${base}/grants/${grant.delivery_id}/${action}`, body);
      return;
    }
    const listed = await this.#dashboard('GET', `${base}/attention`);
    const items = (listed?.body.data ?? []) as { payment_id: string; order_id: string; actions: string[] }[];
    const item = items.find(({ order_id }) => order_id === order.id);
    if (!item?.actions.includes(action)) return;
    if (action === 'accept') order.captureAccepted = true;
    if (action === 'settle_elsewhere') order.settledElsewhere = true;
    const body = {
      action: action === 'refund again' ? 'refund' : action,
      reason: 'Agreed with the player.',
      password: PASSWORD,
    };
    await this.#dashboard('POST', `${base}/attention/${item.payment_id}`, body);
  }

  /** What waited for an endpoint has one again, unless it has ended already or the game sends it away once more. */
  #forgiveNothing(): void {
    const { moods } = this.#deps.world.game;
    if (this.orders.some(({ id }) => moods.get(id) === 'gone')) return;
    for (const order of this.orders) if (order.lastSeen !== 'rejected') order.excuses.delete('endpoint');
  }

  /** Asking again for what is done or under way changes nothing, and is answered as the first time. */
  #expectSame(order: LabOrder, action: 'cancel' | 'refund', answer: Answered | null): void {
    const isDone = ['refund_requested', 'refunded'].includes(order.lastSeen ?? '') && !order.excuses.has('provider');
    if (action === 'refund' && isDone && answer?.status === 409)
      this.#caller.surprises.push(`refunded again: ${JSON.stringify(answer.body).slice(0, 300)}`);
  }

  /** A member does the same to all orders that can take it. */
  async #startBulk(action: BulkAction): Promise<void> {
    const base = `/games/${this.game.gameId}/live/bulk`;
    const preview = await this.#dashboard('GET', `${base}/preview?action=${action}`);
    const ids = (preview?.body.order_ids ?? []) as string[];
    if (ids.length === 0) return;
    for (const order of this.orders) if (ids.includes(order.id)) order.excuses.add('member');
    const body = { action, order_ids: ids, reason: 'A bad day.', password: PASSWORD };
    const started = await this.#dashboard('POST', base, body);
    if (started?.status === 201) this.#bulks.push({ id: String(started.body.id), orderIds: ids });
  }

  /** At rest: runs that did not end, or that count otherwise than their orders stand. */
  async wrongAboutBulks(isBack: (orderId: string) => boolean): Promise<string[]> {
    if (this.#bulks.length === 0) return [];
    const listed = await this.#dashboard('GET', `/games/${this.game.gameId}/live/bulk`);
    if (listed?.status !== 200) return [`the list of bulk actions is answered with ${listed?.status}`];
    const runs = listed.body.data as BulkRow[];
    return this.#bulks.flatMap(({ id, orderIds }) => {
      const run = runs.find(one => one.id === id);
      if (!run?.finished_at) return [`the bulk action ${id} has not ended`];
      const { total, done, waiting_count: waiting, refused_count: refused } = run;
      const back = orderIds.filter(isBack).length;
      if (done + waiting + refused !== total)
        return [`of ${total} orders ${done}, ${waiting} and ${refused} are counted`];
      const isRight = done === back || (refused > 0 && done < back);
      return isRight ? [] : [`it says that ${done} orders have their money back, and ${back} have`];
    });
  }

  async #erase(): Promise<void> {
    for (const order of this.orders) {
      order.excuses.add('member');
      // What was taken back before keeps the name that its items were granted under.
      if (!MONEY_BACK.includes(order.lastSeen ?? '')) this.#deps.world.game.expectErased(order.id);
    }
    const answer = await this.call('DELETE', `/s2s/v1/players/${PLAYER}`);
    if (answer?.status !== 200) return;
    // No new attempt for a player who is forgotten.
    for (const order of this.orders) order.mostCharges = this.bank.ofOrder(order.id).length;
  }

  async #changeWebhook(change: WebhookChange): Promise<void> {
    if (['fail', 'disable', 'delete'].includes(change)) for (const order of this.orders) order.excuses.add('endpoint');
    if (change === 'fail') return this.#deps.company.failEndpoint(this.game.environmentId);
    const webhook = this.#webhook;
    if (webhook === null) return change === 'enable' || change === 'replace' ? this.#createWebhook() : undefined;
    const path = `/s2s/v1/webhooks/${webhook.id}`;
    switch (change) {
      case 'enable':
      case 'disable': {
        webhook.isEnabled = null;
        const answer = await this.call('PATCH', path, { enabled: change === 'enable' });
        if (answer?.status !== 200) return;
        webhook.isEnabled = change === 'enable';
        if (change === 'enable') this.#forgiveNothing();
        return;
      }
      case 'rotate':
        return void (await this.call('POST', `${path}/rotate_secret`, {}));
      case 'replay':
        return void (await this.call('POST', `${path}/replay`, { since: SINCE }));
      case 'replace': {
        const url = `http://127.0.0.1:8080/hooks/${this.game.environmentId}/${++this.#address}`;
        return void (await this.call('PATCH', path, { url }));
      }
      case 'delete': {
        const answer = await this.call('DELETE', path);
        if (!answer || answer.status >= 300) return;
        this.#deleted.push(webhook.id);
        this.#webhook = null;
      }
    }
  }
}
