// What the SDK must do in every runtime. Throws at the first thing that is wrong.
import {
  createCoinslot,
  createWebhookHandler,
  isCoinslotError,
  memoryStore,
  signWebhook,
  testEvent,
  verifyWebhook,
} from '@coinslot/sdk';

const SECRET = 'the secret of this webhook';

function must(isSo, what) {
  if (!isSo) throw new Error(`wrong: ${what}`);
}

async function webhooks() {
  const event = testEvent('item.add', { player_id: 'Zoë 🐉' });
  const { rawBody, headers } = await signWebhook({ body: event, secret: SECRET });
  const verified = await verifyWebhook({ rawBody, headers, secret: SECRET });
  must(verified.ok, 'a right signature is accepted');
  const forged = await verifyWebhook({ rawBody: `${rawBody} `, headers, secret: SECRET });
  must(!forged.ok, 'an altered body is refused');
  let granted = 0;
  const handler = createWebhookHandler({
    secret: SECRET,
    store: memoryStore(),
    onItemAdd: () => {
      granted += 1;
    },
    onItemRemove: () => {},
  });
  const post = body => handler(new Request('https://game.example.com/webhook', { method: 'POST', headers, body }));
  must((await post(rawBody)).status === 200 && (await post(rawBody)).status === 200, 'an event is answered with 200');
  must(granted === 1, 'an event that comes twice is granted once');
  must((await post(`${rawBody} `)).status === 403, 'a forged event is answered with 403');
}

async function client() {
  let calls = 0;
  const answers = [
    () => new Response('<html>bad gateway</html>', { status: 502 }),
    () => Response.json({ order_id: 'ord_1', checkout_url: 'https://pay.example.com/c/1' }, { status: 201 }),
    () => Response.json({ code: 'order_not_found', title: 'Order not found', status: 404 }, { status: 404 }),
  ];
  const coinslot = createCoinslot({
    key: 'sk_sandbox_0123456789',
    baseUrl: 'https://pay.example.com',
    fetch: async () => answers[calls++](),
  });
  const order = await coinslot.orders.create({ player_id: 'ann', items: [{ sku: 'sword' }] });
  must(order.order_id === 'ord_1' && calls === 2, 'a call is repeated after a 502');
  const refused = await coinslot.orders.get('ord_1').catch(error => error);
  must(isCoinslotError(refused) && refused.code === 'order_not_found', 'a refusal is a CoinslotError');
}

export async function smoke() {
  await webhooks();
  await client();
  return 'works';
}
