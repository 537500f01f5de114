import type { Page } from 'playwright-core';

export interface Place {
  base: string;
  gameId: string;
  mode: 'live' | 'sandbox';
}

export const PASSWORD = 'orange lamp on the roof';

export async function signIn(page: Page, base: string, email = 'owner@studio.example'): Promise<void> {
  await page.goto(`${base}/dashboard/sign-in`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/dashboard\/g\//);
}

/** A page and its address; null when it is about an object that does not exist yet. */
export interface Destination {
  name: string;
  isPublic?: boolean;
  path(place: Place, page: Page): Promise<string | null>;
}

const at = (path: string) => async (place: Place) =>
  `${place.base}/dashboard/g/${place.gameId}/${place.mode}${path === '' ? '' : `/${path}`}`;

const open = (path: string) => async (place: Place) => `${place.base}/dashboard/${path}`;

/** The first entry of a list, read as the app reads it. */
const first =
  (list: string, id: string, path: (id: string) => string, query = '') =>
  async (place: Place, page: Page): Promise<string | null> => {
    const answer = await page.request.get(
      `${place.base}/dashboard/api/games/${place.gameId}/${place.mode}/${list}?limit=20${query}`,
    );
    const { data } = (await answer.json()) as { data: Record<string, string>[] };
    const found = data[0]?.[id];
    return found === undefined ? null : at(path(found))(place);
  };

export const PAGES: readonly Destination[] = [
  { name: 'sign-in', isPublic: true, path: open('sign-in') },
  { name: 'register', isPublic: true, path: open('register') },
  { name: 'forgot', isPublic: true, path: open('forgot') },
  { name: 'reset', isPublic: true, path: open('reset#token=x') },
  { name: 'invitation', isPublic: true, path: open('invitation#token=x') },
  { name: 'confirm-email', isPublic: true, path: open('confirm-email#token=x') },
  { name: 'home', path: at('') },
  { name: 'home-live', path: async place => at('')({ ...place, mode: 'live' }) },
  { name: 'figures', path: at('figures') },
  { name: 'transactions', path: at('transactions') },
  { name: 'transactions-filtered', path: at('transactions?status=declined&range=30d') },
  {
    name: 'transaction',
    path: first('transactions', 'payment_id', id => `transactions/${id}`, '&status=succeeded'),
  },
  {
    name: 'dispute',
    path: first('transactions', 'payment_id', id => `transactions/${id}/dispute`, '&status=disputed'),
  },
  { name: 'orders', path: at('orders') },
  { name: 'exam', path: at('integration/exam') },
  { name: 'sandbox-tools', path: at('integration/sandbox') },
  { name: 'orders-attention', path: at('orders?attention=true') },
  { name: 'order', path: first('orders', 'order_id', id => `orders/${id}`) },
  { name: 'attention', path: at('attention') },
  { name: 'grants', path: at('grants') },
  { name: 'players', path: at('players') },
  { name: 'player', path: first('players', 'player_id', id => `players/${id}`) },
  { name: 'items', path: at('items') },
  { name: 'item', path: first('items', 'sku', sku => `items/${sku}`) },
  { name: 'keys', path: at('integration/keys') },
  { name: 'webhooks', path: at('integration/webhooks') },
  { name: 'webhooks-add', path: at('integration/webhooks?add=1') },
  { name: 'webhook', path: first('webhooks', 'id', id => `integration/webhooks/${id}`) },
  { name: 'deliveries', path: at('integration/deliveries') },
  { name: 'delivery', path: first('deliveries', 'id', id => `integration/deliveries/${id}`) },
  { name: 'company', path: at('settings/company') },
  { name: 'methods', path: at('settings/methods') },
  { name: 'provider', path: at('settings/provider') },
  { name: 'reconciliation', path: at('settings/reconciliation') },
  { name: 'payouts', path: at(`settings/reconciliation/${new Date().toISOString().slice(0, 10)}`) },
  { name: 'appearance', path: at('settings/appearance') },
  { name: 'receipts', path: at('settings/receipts') },
  { name: 'grant-rules', path: at('settings/grant-rules') },
  { name: 'team', path: at('settings/team') },
  { name: 'audit', path: at('settings/audit') },
  { name: 'profile', path: at('settings/profile') },
  { name: 'not-found', path: at('nowhere') },
];
