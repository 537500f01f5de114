import type { Db } from '../../apps/server/src/db/db.ts';
import { createSeal } from '../../apps/server/src/kit/seal.ts';
import { PASSWORD, signedInMember, type TestMember } from '../../apps/server/src/testing/dashboard.ts';
import type { TestDatabase } from '../../apps/server/src/testing/database.ts';
import { CARDS, MASTER_KEY } from '../../apps/server/src/testing/program.ts';
import { registerTestAccount } from '../../apps/server/src/testing/registered-game.ts';
import { payForm } from '../nothing-is-lost/pay-form.ts';
import type { World } from './outside.ts';
import type { MemberAction, Step, WebhookChange } from './steps.ts';

export interface Answered {
  status: number;
  body: Record<string, unknown>;
}

/** An order with all that its people were told about it. */
export interface LabOrder {
  id: string;
  path: string;
  amountMinor: number;
  canceled: boolean;
  refundAccepted: boolean;
  /** A member was asked to take what the provider captured for the price. */
  captureAccepted: boolean;
  /** What the last look showed; null before the first. */
  lastSeen: string | null;
}

export interface StudioDeps {
  database: TestDatabase;
  world: World;
  /** The program that answers next. */
  url(): string;
  hear(order: LabOrder): Promise<void>;
}

const SEAL = createSeal(MASTER_KEY);
const ITEM_EVENTS = ['item.add', 'item.remove'];
const REQUEST_MS = 30_000;
/** The first second of 1970: everything that happened. */
const SINCE = 0;

/** One history's own company, game, environment and people. */
export class Studio {
  readonly orders: LabOrder[] = [];
  /** Answers that no caller should get. */
  readonly surprises: string[] = [];
  environmentId = '';
  #account!: Awaited<ReturnType<typeof registerTestAccount>>;
  #member: TestMember | null = null;
  #webhookId: string | null = null;
  #address = 0;
  readonly #deps: StudioDeps;

  constructor(deps: StudioDeps) {
    this.#deps = deps;
  }

  get db(): Db {
    return this.#deps.database.db;
  }

  async open(orders: number): Promise<void> {
    this.#account = await registerTestAccount(this.db, SEAL);
    this.environmentId = this.#account.live.environmentId;
    await this.#createWebhook();
    for (let i = 0; i < orders; i++) await this.#createOrder(i);
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'webhook') return this.#changeWebhook(step.change);
    if (step.do === 'at once') return void (await Promise.all(step.steps.map(one => this.take(one))));
    if (step.do === 'later' || step.do === 'kill') return;
    const order = this.orders[step.order] ?? this.orders[0];
    if (!order) return;
    const { world } = this.#deps;
    switch (step.do) {
      case 'pay':
        return this.#pay(order, step);
      case 'challenge':
        return void (await this.#page(order, '/challenge', new URLSearchParams({ result: step.answer })));
      case 'look':
        return this.#look(order);
      case 'game':
        return void world.game.moods.set(order.id, step.mood);
      case 'member':
        return this.#act(order, step.action);
      case 'provider': {
        const fault = { orderId: order.id, call: step.call, fault: step.fault };
        return void world.books.faults.push(...Array.from({ length: step.times }, () => fault));
      }
      case 'elsewhere': {
        const happened = world.books.happen(order.id, step.what);
        return happened && step.told ? this.#deps.hear(order) : undefined;
      }
      case 'hear':
        await Promise.all(Array.from({ length: step.times }, () => this.#deps.hear(order)));
    }
  }

  /** Null: no answer came, because the program died. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered | null> {
    const init = {
      method,
      headers: {
        authorization: `Bearer ${this.#account.live.s2sKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    return this.#fetch(path, init);
  }

  async #fetch(path: string, init: RequestInit): Promise<Answered | null> {
    try {
      const response = await fetch(this.#deps.url() + path, { ...init, signal: AbortSignal.timeout(REQUEST_MS) });
      const text = await response.text();
      // Come back later: nothing was promised and nothing was done.
      if (response.status === 503) return null;
      if (response.status >= 500)
        this.surprises.push(`${init.method} ${path}: ${response.status} ${text.slice(0, 300)}`);
      const isJson = response.headers.get('content-type')?.includes('json');
      return { status: response.status, body: isJson && text !== '' ? (JSON.parse(text) as Answered['body']) : {} };
    } catch {
      return null;
    }
  }

  async #createWebhook(): Promise<void> {
    const url = `http://127.0.0.1:8080/hooks/${this.environmentId}/${++this.#address}`;
    const made = await this.call('POST', '/s2s/v1/webhooks', { url, events: ITEM_EVENTS });
    if (made?.status === 201) this.#webhookId = String(made.body.id);
    else if (made) this.surprises.push(`no webhook: ${JSON.stringify(made.body)}`);
  }

  async #createOrder(number: number): Promise<void> {
    const amountMinor = 499 + number;
    const body = {
      player_id: `player_${number}`,
      items: [{ sku: `gems_${number}` }],
      price_decimal: amountMinor / 100,
      currency: 'EUR',
    };
    const key = { 'idempotency-key': `${this.environmentId}-${number}` };
    for (let tries = 0; tries < 5; tries++) {
      const made = await this.call('POST', '/s2s/v1/orders', body, key);
      if (made?.status !== 201) continue;
      const path = new URL(String(made.body.checkout_url)).pathname;
      const id = String(made.body.order_id);
      this.orders.push({
        id,
        path,
        amountMinor,
        canceled: false,
        refundAccepted: false,
        captureAccepted: false,
        lastSeen: null,
      });
      return;
    }
  }

  async #pay(order: LabOrder, { outcome, tabs }: Extract<Step, { do: 'pay' }>): Promise<void> {
    this.#deps.world.books.outcomes.set(order.id, [outcome]);
    const form = payForm(CARDS.success);
    form.set('method', 'card');
    await Promise.all(Array.from({ length: tabs }, () => this.#page(order, '/pay', form)));
  }

  async #page(order: LabOrder, part: string, form: URLSearchParams): Promise<Answered | null> {
    return this.#fetch(order.path + part, { method: 'POST', body: form, redirect: 'manual' });
  }

  async #look(order: LabOrder): Promise<void> {
    await this.#fetch(order.path, { method: 'GET' });
    const answer = await this.call('GET', `/s2s/v1/orders/${order.id}`);
    const isOther = answer?.status === 200 && answer.body.amount !== order.amountMinor;
    // The amount that was captured takes the place of the price only where a member accepted it.
    if (isOther && !order.captureAccepted)
      this.surprises.push(`${order.id}: created for ${order.amountMinor}, now ${String(answer.body.amount)}`);
  }

  async #act(order: LabOrder, action: MemberAction): Promise<void> {
    if (action === 'cancel' || action === 'refund') {
      const answer = await this.call('POST', `/s2s/v1/orders/${order.id}/${action}`, {});
      if (answer?.status === 200 && action === 'cancel') order.canceled = true;
      if (answer?.status === 200 && action === 'refund') order.refundAccepted = true;
      return;
    }
    try {
      this.#member ??= await this.#signIn();
      await this.#actInDashboard(this.#member, order, action);
    } catch {
      // The program died; the member opens the dashboard of another one.
      this.#member = null;
    }
  }

  async #actInDashboard(
    { browser }: TestMember,
    order: LabOrder,
    action: Exclude<MemberAction, 'cancel' | 'refund'>,
  ): Promise<void> {
    const base = `/games/${this.#account.gameId}/live`;
    if (action === 'release' || action === 'retry') {
      const grants = await browser.call<{ data?: { delivery_id: string; order_id: string }[] }>(
        'GET',
        `${base}/grants`,
      );
      const grant = grants.body.data?.find(({ order_id }) => order_id === order.id);
      const body = action === 'release' ? { reason: 'The player asked.' } : undefined;
      if (grant) await browser.call('POST', `${base}/grants/${grant.delivery_id}/${action}`, body);
      return;
    }
    const payments = await this.call('GET', `/s2s/v1/payments?order_id=${order.id}`);
    const [payment] = (payments?.body.data ?? []) as { payment_id: string }[];
    const decision = action === 'accept' ? 'accept' : 'refund';
    if (decision === 'accept') order.captureAccepted = true;
    const body = { action: decision, password: PASSWORD };
    if (payment) await browser.call('POST', `${base}/attention/${payment.payment_id}`, body);
  }

  async #signIn(): Promise<TestMember> {
    const { database, url } = this.#deps;
    return signedInMember({ database, account: this.#account, url: url() }, 'owner');
  }

  async #changeWebhook(change: WebhookChange): Promise<void> {
    if (this.#webhookId === null)
      return change === 'enable' || change === 'replace' ? this.#createWebhook() : undefined;
    const path = `/s2s/v1/webhooks/${this.#webhookId}`;
    switch (change) {
      case 'enable':
      case 'disable':
        return void (await this.call('PATCH', path, { enabled: change === 'enable' }));
      case 'rotate':
        return void (await this.call('POST', `${path}/rotate_secret`, {}));
      case 'replay':
        return void (await this.call('POST', `${path}/replay`, { since: SINCE }));
      case 'replace':
        return void (await this.call('PATCH', path, {
          url: `http://127.0.0.1:8080/hooks/${this.environmentId}/${++this.#address}`,
        }));
      case 'delete': {
        const answer = await this.call('DELETE', path);
        if (answer && answer.status < 300) this.#webhookId = null;
      }
    }
  }
}
