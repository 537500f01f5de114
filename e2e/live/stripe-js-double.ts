import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { StripeDouble } from '@coinslot/testing/stripe-double/stripe-double';

const SCRIPT = readFileSync(new URL('./stripe-elements.js', import.meta.url), 'utf8');

const LABELS: Record<string, string> = { card: 'Card', apple_pay: 'Apple Pay', google_pay: 'Google Pay' };

/** What the player types in is one of the server double's test methods. */
const CARDS: Record<string, string> = {
  '4242424242424242': 'pm_card_visa',
  '4000002760003184': 'pm_card_threeDSecure2Required',
  '4000000000000002': 'pm_card_chargeDeclined',
  '4000000000009995': 'pm_card_chargeDeclinedInsufficientFunds',
};

const WALLETS: Record<string, string> = { apple_pay: 'pm_card_applePay' };

const FIELDS_SCRIPT = `
const post = message => parent.postMessage(message, '*');
const chosen = () => document.querySelector('[name=way]:checked').value;
const number = () => document.getElementById('number').value.replace(/\\D/g, '');
const size = () => {
  document.getElementById('card').hidden = chosen() !== 'card';
  post({ kind: 'size', height: document.documentElement.offsetHeight });
};
for (const input of document.querySelectorAll('input')) {
  input.addEventListener('focus', () => post({ kind: 'focus' }));
  input.addEventListener('change', () => { size(); post({ kind: 'change', value: { type: chosen() } }); });
}
addEventListener('message', async ({ data }) => {
  if (data.kind === 'check') {
    const isShort = chosen() === 'card' && number().length < 15;
    post({ kind: 'checked', error: isShort ? { message: 'Your card number is incomplete.' } : null });
  }
  if (data.kind === 'make') {
    const body = JSON.stringify({ way: chosen(), number: number(), save: data.save, types: data.types });
    post({ kind: 'made', ...(await (await fetch('/v3/tokens', { method: 'POST', body })).json()) });
  }
});
size();
`;

const fieldsPage = (order: string[], isDark: boolean): string => `<!doctype html><html lang="en"><title>Fields</title>
<style>html{font:16px/24px sans-serif;color:${isDark ? '#f2f4f8' : '#10131a'}}body{margin:0;padding:2px}label{display:block;padding:8px 0}
input[type=text]{width:100%;box-sizing:border-box;height:44px;font:inherit;padding:0 12px;border:1px solid #8a94a6;border-radius:8px}</style>
${order.map((way, at) => `<label><input type="radio" name="way" value="${way}"${at === 0 ? ' checked' : ''}> ${LABELS[way] ?? way}</label>`).join('')}
<div id="card" hidden><label>Card number <input type="text" id="number" inputmode="numeric" autocomplete="cc-number"></label></div>
<script>${FIELDS_SCRIPT}</script></html>`;

/** The wallet of the browser: Apple Pay alone, whose sheet agrees at once and tells what it knows of the player. */
const walletsPage = (wallets: string[], email: string | null): string => {
  const available = { amazonPay: false, applePay: true, googlePay: false, klarna: false, link: false, paypal: false };
  const found = wallets.includes('apple_pay') ? available : undefined;
  const details = { name: 'Mika', ...(email !== null && { email }), address: { country: 'DE' } };
  const approval = { kind: 'confirm', expressPaymentType: 'apple_pay', billingDetails: details };
  return `<!doctype html><html lang="en"><title>Wallets</title><style>body{margin:0}button{width:100%;height:48px}</style>
${found ? '<button id="apple_pay">Pay with Apple Pay</button>' : ''}
<script>const post = message => parent.postMessage(message, '*');
addEventListener('message', async ({ data }) => {
  if (data.kind === 'check') post({ kind: 'checked', error: null });
  if (data.kind === 'failed') document.title = 'Payment not completed';
  if (data.kind === 'make') {
    const body = JSON.stringify({ way: 'apple_pay', number: '', save: data.save, types: data.types });
    post({ kind: 'made', ...(await (await fetch('/v3/tokens', { method: 'POST', body })).json()) });
  }
});
document.getElementById('apple_pay')?.addEventListener('click', () => post(${JSON.stringify(approval)}));
post({ kind: 'size', height: ${found ? 48 : 0} });
post({ kind: 'ready', availablePaymentMethods: ${JSON.stringify(found) ?? 'undefined'} });</script></html>`;
};

const challengePage = (secret: string): string => `<!doctype html><html lang="en"><title>3-D Secure</title>
<h1>Your bank asks</h1><button id="right">Confirm</button> <button id="wrong">Refuse</button>
<script>for (const id of ['right', 'wrong']) document.getElementById(id).addEventListener('click', async () => {
  const body = JSON.stringify({ secret: ${JSON.stringify(secret)}, isRight: id === 'right' });
  parent.postMessage({ kind: 'answered', ...(await (await fetch('/v3/challenge', { method: 'POST', body })).json()) }, '*');
});</script></html>`;

export interface StripeJsDouble {
  /** For STRIPE_JS_URL. */
  scriptUrl: string;
  /** The server's double, which the browser's side calls. */
  attach(stripe: StripeDouble): void;
  /** Paths that browsers asked for. */
  asked: string[];
  /** The address that the player's wallet tells, or null if it tells none. */
  setWalletEmail(email: string | null): void;
  close(): Promise<void>;
}

type Answer = { type: string; body: string };

const asJson = (value: object): Answer => ({ type: 'application/json', body: JSON.stringify(value) });
const asPage = (body: string): Answer => ({ type: 'text/html; charset=utf-8', body });

interface Typed {
  way: string;
  number: string;
  save: false | 'on_session' | 'off_session';
  types: string[];
}

function makeToken(stripe: StripeDouble, { way, number, save, types }: Typed) {
  const method = way === 'card' ? CARDS[number] : (WALLETS[way] ?? way);
  return method
    ? { id: stripe.token(method, { save, drawnWith: types }) }
    : { error: { message: 'Your card number is invalid.' } };
}

/** Stripe's side of the browser, over http on loopback, beside the server's double. */
export async function startStripeJsDouble(): Promise<StripeJsDouble> {
  let stripe: StripeDouble | undefined;
  const asked: string[] = [];
  let walletEmail: string | null = 'wallet@example.com';
  const intentBy = (secret: string | null) =>
    [...stripe!.store.intents.values()].find(intent => intent.client_secret === secret)!;

  function actionOf(secret: string | null): object {
    const { next_action, status } = intentBy(secret);
    const next = next_action as { redirect_to_url?: { url: string } } | null;
    return { redirect: next?.redirect_to_url?.url ?? null, status };
  }

  async function answer(message: IncomingMessage, url: URL): Promise<Answer | null> {
    const secret = url.searchParams.get('secret');
    switch (`${message.method} ${url.pathname}`) {
      case 'GET /v3/':
        return { type: 'text/javascript', body: SCRIPT };
      case 'GET /v3/fields':
        return asPage(fieldsPage(url.searchParams.get('order')!.split(','), url.searchParams.get('theme') === 'night'));
      case 'GET /v3/wallets':
        return asPage(walletsPage(url.searchParams.get('wallets')!.split(','), walletEmail));
      case 'POST /v3/tokens':
        return asJson(makeToken(stripe!, (await json(message)) as Parameters<typeof makeToken>[1]));
      case 'GET /v3/action':
        return asJson(actionOf(secret));
      case 'GET /v3/challenge':
        return asPage(challengePage(secret ?? ''));
      case 'POST /v3/challenge': {
        const given = (await json(message)) as { secret: string; isRight: boolean };
        stripe!.authenticate(intentBy(given.secret), given.isRight);
        return asJson(
          given.isRight ? {} : { error: { message: 'We are unable to authenticate your payment method.' } },
        );
      }
      default:
        return null;
    }
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(message.url ?? '/', 'http://double');
    asked.push(url.pathname);
    const made = await answer(message, url);
    const headers = { 'content-type': made?.type ?? 'text/plain', 'access-control-allow-origin': '*' };
    response.writeHead(made ? 200 : 404, headers).end(made?.body ?? '');
  }

  const server = createServer((message, response) => {
    serve(message, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    scriptUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/`,
    attach(double) {
      stripe = double;
    },
    asked,
    setWalletEmail(email) {
      walletEmail = email;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
