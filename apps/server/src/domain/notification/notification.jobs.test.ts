import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { type SmtpReceiver, smtpReceiver } from '@coinslot/testing/smtp-receiver';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mailsCommand } from '../../commands/mails.ts';
import { sql } from '../../db/sql.ts';
import { createJobWorker } from '../../jobs/job-worker.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { newId } from '../../kit/ids.ts';
import { listMails } from '../../mail/mail.sql.ts';
import { createMailer, type Mailer } from '../../mail/mailer.ts';
import { mailJobs } from '../../mail/send-mail.ts';
import { notificationJobs } from './notification.jobs.ts';
import { remakeReceipt } from './send-receipt.ts';

let database: TestDatabase;
let server: SmtpReceiver;
let mailer: Mailer;
const environmentId = newId('env');
const APP_ID = 'com.northlight.dragon';

beforeAll(async () => {
  database = await testDatabase();
  server = await smtpReceiver();
  mailer = createMailer({ smtpUrl: server.url, from: 'Shop <shop@example.com>' });
  await seedGame();
});
afterEach(() => {
  // A player knows the game by its name, not by its id in a store.
  for (const { subject, text, html } of server.mails) expect([subject, text, html].join(' ')).not.toContain(APP_ID);
  server.mails.length = 0;
});
afterAll(async () => {
  mailer.close();
  await server.close();
  await database.drop();
});

async function seedGame(): Promise<void> {
  const { db } = database;
  await db.query(sql('t1')`insert into companies (id, name, created_at) values ('cmp_1', 'Northlight', app_now())`);
  await db.query(sql(
    't2',
  )`insert into games (id, company_id, name, store, store_app_id, store_url, icon_url, logo_url, accent_color, created_at)
    values ('game_1', 'cmp_1', 'Дракон', 'google_play', ${APP_ID}, 'https://play.google.com/store/apps/details?id=com.northlight.dragon',
      '/icons/00000000000000000000000000000000.png', 'https://cdn.example/logo.png', '#c8102e', app_now())`);
  await db.query(sql(
    't3',
  )`insert into environments (id, game_id, mode, default_price_minor, default_currency, created_at)
    values (${environmentId}, 'game_1', 'sandbox', 100, 'USD', app_now())`);
  for (const [role, email] of [
    ['owner', 'owner@example.com'],
    ['developer', 'dev@example.com'],
    ['support', 'support@example.com'],
    ['viewer', 'viewer@example.com'],
  ]) {
    const id = newId('usr');
    await db.query(
      sql(
        't4',
      )`insert into users (id, email, email_key, email_verified_at, password_hash, created_at) values (${id}, ${email}, ${email}, app_now(), 'x', app_now())`,
    );
    await db.query(
      sql(
        't5',
      )`insert into members (company_id, user_id, role, created_at) values ('cmp_1', ${id}, ${role}, app_now())`,
    );
  }
}

async function paidOrder(email: string | null = 'dev@example.com', amountMinor = 499): Promise<string> {
  const [orderId, paymentId] = [newId('ord'), newId('pay')];
  const items = JSON.stringify([{ sku: 'gems', name: '500 Gems', quantity: 1, priceMinor: 499, currency: 'EUR' }]);
  const details = JSON.stringify({ locale: 'uk' });
  await database.db.query(sql('t6')`
    insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at, expires_at, updated_at,
      granted_at, paid_at)
    values (${environmentId}, ${orderId}, 'p', 'paid', ${amountMinor}, 'EUR', ${items}, ${details}, app_now(), app_now(), app_now(), app_now(),
      app_now())`);
  await database.db.query(sql('t7')`
    insert into payments (environment_id, id, order_id, player_id, status, gateway, method, brand, last4, email, amount_minor, currency,
      created_at, updated_at, authorized_at, captured_at)
    values (${environmentId}, ${paymentId}, ${orderId}, 'p', 'succeeded', 'simulator', 'card', 'visa', '4242', ${email}, ${amountMinor}, 'EUR',
      app_now(), app_now(), app_now(), app_now())`);
  return paymentId;
}

const enqueue = (name: string, payload: Record<string, unknown>, environment: string = environmentId): Promise<void> =>
  database.db.transaction(async tx => insertJob(tx, { name, environmentId: environment, payload }));

const checkoutUrlOf = (_environment: string, orderId: string): string => `https://pay.example/c/${orderId}`;

async function workOff(using: Mailer | null = mailer): Promise<void> {
  const deps = { db: database.db, mailer: using };
  const handlers = {
    ...mailJobs(deps),
    ...notificationJobs({ ...deps, checkoutUrlOf, publicUrl: 'https://pay.example' }),
  };
  await database.advance(4_000);
  await createJobWorker({ db: database.db, handlers, random: () => 0.5, onError: () => {} }).drain();
}

const mailsAbout = async (paymentId: string) =>
  (await listMails(database.db, null, 100)).filter(({ about }) => about === `receipt ${paymentId}`);

describe('the receipt of a payment', () => {
  it('goes once to the address on the form, in the order’s language, however often it is asked for', async () => {
    const paymentId = await paidOrder();
    for (let n = 0; n < 5; n++) await enqueue('receipt.send', { paymentId });
    await workOff();
    await enqueue('receipt.send', { paymentId });
    await workOff();
    expect(server.mails).toHaveLength(1);
    expect(await mailsAbout(paymentId)).toMatchObject([{ status: 'sent', recipient: 'dev@example.com' }]);
    const [got] = server.mails;
    expect(got?.subject).toMatch(/^\[SANDBOX\] Ваш чек від Coinslot: 4,99/);
    for (const fact of ['500 Gems', 'Visa •••• 4242', paymentId, 'Northlight', 'UTC'])
      expect(got?.text).toContain(fact);
    expect(got?.html).toContain(paymentId);
    for (const part of [
      'https://pay.example/icons/00000000000000000000000000000000.png',
      'https://cdn.example/logo.png',
      '#c8102e',
    ]) {
      expect(got?.html).toContain(part);
    }
  });

  it('waits for a server that says later, and arrives once', async () => {
    const paymentId = await paidOrder();
    server.refuseNext('RCPT TO', 451);
    server.refuseNext('DATA', 451);
    await enqueue('receipt.send', { paymentId });
    for (let round = 0; round < 4; round++) await workOff();
    expect(server.mails).toHaveLength(1);
    expect(await mailsAbout(paymentId)).toMatchObject([{ status: 'sent', tries: 3 }]);
  });

  it('of a company whose owners have not confirmed an address is kept (row 107)', async () => {
    await database.db.query(sql('t20')`update users set email_verified_at = null`);
    const paymentId = await paidOrder();
    await enqueue('receipt.send', { paymentId });
    await workOff();
    expect(server.mails).toEqual([]);
    expect(await mailsAbout(paymentId)).toMatchObject([{ status: 'kept' }]);
    await database.db.query(sql('t21')`update users set email_verified_at = app_now()`);
  });

  it('that cost the sender nothing goes out a limited number of times a day (row 107)', async () => {
    await database.db.query(sql('t24')`
      insert into mail_quotas (day, sender, sent)
      values ((app_now() at time zone 'UTC')::date, 'receipts cmp_1', 500), ((app_now() at time zone 'UTC')::date + 1, 'receipts cmp_1', 500)
      on conflict (day, sender) do update set sent = 500`);
    const paymentId = await paidOrder();
    await enqueue('receipt.send', { paymentId });
    await workOff();
    expect(server.mails).toEqual([]);
    expect(await mailsAbout(paymentId)).toMatchObject([{ status: 'kept' }]);
    await database.db.query(sql('t23')`delete from mail_quotas`);
  });

  it('of sandbox goes to members alone, and of live only for money that was captured (row 174)', async () => {
    const stranger = await paidOrder('stranger@example.com');
    await enqueue('receipt.send', { paymentId: stranger });
    await workOff();
    expect(server.mails).toEqual([]);
    expect(await mailsAbout(stranger)).toMatchObject([{ status: 'kept' }]);
    await database.db.query(
      sql(
        't27',
      )`update environments set mode = 'live', default_price_minor = null, default_currency = null where id = ${environmentId}`,
    );
    const bought = await paidOrder('stranger@example.com');
    const free = await paidOrder('stranger@example.com', 0);
    for (const paymentId of [bought, free]) await enqueue('receipt.send', { paymentId });
    await workOff();
    expect(await mailsAbout(bought)).toMatchObject([{ status: 'sent' }]);
    expect(await mailsAbout(free)).toMatchObject([{ status: 'kept' }]);
    await database.db.query(
      sql(
        't29',
      )`update environments set mode = 'sandbox', default_price_minor = 100, default_currency = 'USD' where id = ${environmentId}`,
    );
  });

  it('is kept without a mail server', async () => {
    const paymentId = await paidOrder();
    await enqueue('receipt.send', { paymentId });
    await workOff(null);
    expect(await mailsAbout(paymentId)).toMatchObject([{ status: 'kept' }]);
  });

  it('is stored without its words, and can be read and sent by an operator all the same', async () => {
    await database.db.query(sql('t25')`update users set email_verified_at = null`);
    const paymentId = await paidOrder();
    await enqueue('receipt.send', { paymentId });
    await workOff();
    const [kept] = await mailsAbout(paymentId);
    const stored = await database.db.query(sql('t26')`select content from mails where id = ${kept!.id}`);
    expect(stored).toEqual([{ content: null }]);
    const said: string[] = [];
    const say = { write: (text: string) => void said.push(text), writeError: (text: string) => void said.push(text) };
    const mails = {
      db: database.db,
      remake: remakeReceipt(database.db, { publicUrl: 'https://pay.example', checkoutUrlOf }),
      canSend: true,
      ...say,
    };
    expect(await mailsCommand.run([kept!.id], mails)).toBe(0);
    expect(said[0]).toContain('Visa •••• 4242');
    expect(await mailsCommand.run(['--send', kept!.id], mails)).toBe(0);
    await workOff();
    expect(server.mails.map(({ text }) => text?.includes(paymentId))).toEqual([true]);
    expect(await mailsAbout(paymentId)).toMatchObject([{ status: 'sent' }]);
    await database.db.query(sql('t21')`update users set email_verified_at = app_now()`);
  });

  it('is not made without an address, nor for a payment of another environment', async () => {
    const unaddressed = await paidOrder(null);
    const foreign = await paidOrder();
    await enqueue('receipt.send', { paymentId: unaddressed });
    await enqueue('receipt.send', { paymentId: foreign }, newId('env'));
    await workOff();
    expect([...(await mailsAbout(unaddressed)), ...(await mailsAbout(foreign))]).toEqual([]);
  });
});

async function subscription(enabled: boolean): Promise<string> {
  const id = newId('whk');
  await database.db.query(sql('t8')`
    insert into webhook_subscriptions (environment_id, id, url, description, events, takes_items, enabled, enabled_logs,
      player_context_enabled, disabled_reason, created_at, updated_at)
    values (${environmentId}, ${id}, 'https://game.example/hook', '', '{item.add}', true, ${enabled}, true, false,
      'endpoint_gone', app_now(), app_now())`);
  return id;
}

async function exhausted(subscriptionId: string): Promise<string> {
  const [id, orderId] = [newId('dlv'), newId('ord')];
  await database.db.query(sql('t9')`
    insert into deliveries (environment_id, id, event_id, event_type, order_id, lane, subscription_id, idempotency_key, status,
      attempts_made, last_status, created_at, finished_at)
    values (${environmentId}, ${id}, 'evt_1', 'item.add', ${orderId}, 'items', ${subscriptionId}, 'k', 'exhausted', 16, 503,
      app_now(), app_now())`);
  return id;
}

describe('a notice', () => {
  it('tells those who can mend it once an hour, not once for every order', async () => {
    const subscriptionId = await subscription(true);
    for (let n = 0; n < 20; n++)
      await enqueue('notice.send', { kind: 'delivery_exhausted', deliveryId: await exhausted(subscriptionId) });
    await workOff();
    await workOff();
    const to = server.mails.flatMap(({ recipients }) => recipients).toSorted();
    expect(to).toEqual(['dev@example.com', 'owner@example.com']);
    expect(server.mails[0]?.subject).toBe('[SANDBOX] Дракон: Grants are failing');
    expect(server.mails[0]?.text).toMatch(/for order ord_\w+ after 16 attempts/);
    expect(server.mails[0]?.text).toContain('Last answer: HTTP 503');
    await enqueue('notice.send', { kind: 'delivery_exhausted', deliveryId: await exhausted(subscriptionId) });
    await workOff();
    await workOff();
    expect(server.mails).toHaveLength(4);
  });

  it('says that a webhook was switched off, unless it is on again', async () => {
    const off = await subscription(false);
    await enqueue('notice.send', { kind: 'webhook_disabled', subscriptionId: off });
    await workOff();
    await workOff();
    expect(server.mails).toHaveLength(2);
    expect(server.mails[0]?.text).toContain('410 Gone');
    expect(server.mails[0]?.text).toContain('https://game.example/hook');
  });

  it('says that a payment waits for a decision to those who may decide, unless a member has decided', async () => {
    const [held, decided] = [await paidOrder(), await paidOrder()];
    for (const id of [held, decided]) {
      await database.db.query(sql('t22')`
        update payments set status = 'authorized', captured_at = null, version = version + 1, attention = case when ${id === held}::boolean then json_build_object(
          'code', 'amount_differs', 'since', app_now(), 'isFinal', true, 'nextCheckAt', null,
          'detail', json_build_array(json_build_object('key', 'amount_differs',
            'values', json_build_object('theirs', '1.00 EUR', 'ours', '4.99 EUR')))) end where environment_id = ${environmentId} and id = ${id}`);
      await enqueue('notice.send', { kind: 'attention', paymentId: id });
    }
    await workOff();
    await workOff();
    const to = server.mails.flatMap(({ recipients }) => recipients).toSorted();
    expect(to).toEqual(['dev@example.com', 'owner@example.com', 'support@example.com']);
    expect(server.mails[0]?.subject).toBe('[SANDBOX] Дракон: An amount does not fit its order');
    expect(server.mails[0]?.html).toContain(
      `href="https://pay.example/dashboard/g/game_1/sandbox/transactions/${held}"`,
    );
    expect(server.mails[0]?.text).toContain('The provider reports 1.00 EUR, the order is 4.99 EUR.');
    expect(server.mails[0]?.text).toContain(held);
  });

  it('reaches each member in their own language', async () => {
    const { db } = database;
    const held = await paidOrder();
    await db.query(sql('t_german')`update users set locale = 'de' where email = 'support@example.com'`);
    await db.query(sql('t_english')`update users set locale = 'en' where email = 'owner@example.com'`);
    await db.query(sql('t_refused')`
      update payments set version = version + 1, attention = json_build_object('code', 'refund_refused', 'since', app_now(),
        'isFinal', true, 'nextCheckAt', null, 'detail', json_build_array(json_build_object('key', 'refused.refund',
          'values', json_build_object('reason', 'The balance is too low.'))))
      where environment_id = ${environmentId} and id = ${held}`);
    await enqueue('notice.send', { kind: 'attention', paymentId: held });
    await workOff();
    await workOff();
    const mailOf = (recipient: string) => server.mails.find(({ recipients }) => recipients.includes(recipient));
    const [german, english, silent] = ['support', 'owner', 'dev'].map(name => mailOf(`${name}@example.com`));
    expect(german?.subject).toBe('[SANDBOX] Дракон: Eine Erstattung wurde abgelehnt');
    expect(german?.html).toContain('<html lang="de"');
    // What the provider said is quoted as it came.
    expect(german?.text).toContain('Der Anbieter hat die Erstattung abgelehnt: The balance is too low. Im Dashboard');
    expect(german?.text).toContain(`Zahlung: ${held}`);
    expect(english?.subject).toBe('[SANDBOX] Дракон: A refund was refused');
    expect(english?.text).toContain('The provider refused the refund: The balance is too low. The dashboard');
    // Who has chosen no language gets English.
    expect(silent?.subject).toBe(english?.subject);
    await db.query(sql('t_as_before')`update users set locale = null`);
  });

  it('names what the game answered, and after the third report of a cause sums it up once a day', async () => {
    const subscriptionId = await subscription(false);
    const report = async (): Promise<void> => {
      const paymentId = await paidOrder();
      await database.db.query(sql('t_report_payment')`
        update payments set version = version + 1, attention = json_build_object('code', 'grant_unanswered',
          'since', app_now(), 'isFinal', false, 'nextCheckAt', null, 'detail', json_build_array(json_build_object(
            'key', 'not_granted', 'values', json_build_object())))
        where environment_id = ${environmentId} and id = ${paymentId}`);
      await database.db.query(sql('t_report_delivery')`
        insert into deliveries (environment_id, id, event_id, event_type, order_id, lane, subscription_id, idempotency_key,
          status, attempts_made, last_status, next_attempt_at, created_at)
        select environment_id, ${newId('dlv')}, 'evt_2', 'item.add', order_id, 'items', ${subscriptionId}, 'k', 'pending', 4, 503,
          app_now(), app_now() from payments where environment_id = ${environmentId} and id = ${paymentId}`);
      await enqueue('notice.send', { kind: 'attention', paymentId });
    };
    const subjects: string[] = [];
    for (let hour = 0; hour < 6; hour++) {
      await report();
      await report();
      await workOff();
      await workOff();
      const own = server.mails.filter(({ recipients }) => recipients.includes('owner@example.com'));
      subjects.push(...own.map(({ subject }) => subject ?? ''));
      for (const { text, html } of own) expect(`${text}${html}`).not.toContain('`');
      server.mails.length = 0;
    }
    const answered = '[SANDBOX] Дракон: The game answered 503 to item.add 4 times';
    expect(subjects.slice(0, 3)).toEqual([answered, answered, answered]);
    expect(
      subjects.slice(3).every(subject => subject.endsWith(' payments wait: The game has not granted the items')),
    ).toBe(true);
    // Each round takes more than two hours: within a day there is one, or two where midnight lies between.
    expect([4, 5]).toContain(subjects.length);
  });
});
