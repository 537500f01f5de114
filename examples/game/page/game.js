/** The game's page. The server sends the whole state whenever it changes, and this renders it. */

const CARDS = {
  good: '4242 4242 4242 4242',
  declined: '4832 2850 6160 9015',
  disputed: '4000 0000 0000 0267',
};

/** Tone, icon and label of each status. */
const STATUS = {
  created: ['warn', 'wait', 'Not paid yet'],
  pending: ['warn', 'wait', 'Paying'],
  authorized: ['warn', 'wait', 'Asking the game'],
  paid: ['good', 'yes', 'Delivered'],
  rejected: ['bad', 'no', 'Declined by the game, not charged'],
  canceled: ['', 'no', 'Canceled'],
  expired: ['', 'no', 'Expired'],
  refund_requested: ['warn', 'return', 'Refund in progress'],
  refunded: ['', 'return', 'Refunded'],
  disputed: ['warn', 'wait', 'Disputed'],
  charged_back: ['bad', 'return', 'Reversed by the bank'],
};

const byId = id => document.getElementById(id);
let dashboardUrl = '';
let offers = [];
let seen = null;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function picture(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#${name}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.append(use);
  return svg;
}

let toastTimer;
function toast(text, art = 'gem') {
  const box = byId('toast');
  const close = element('button', { type: 'button', onclick: () => box.setAttribute('hidden', '') }, 'Close');
  box.replaceChildren(picture(art), element('span', {}, text), close);
  box.removeAttribute('hidden');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.setAttribute('hidden', ''), 8000);
}

async function send(path, body = {}) {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, options)
    .then(response => response.json())
    .catch(() => ({ problem: 'The game is not responding. Is it still running?' }));
  if (answer.problem) toast(answer.problem, 'no');
  return answer;
}

/** One click, one order: the button stays disabled until the page is left or the request fails. */
async function buy(sku, button) {
  button.setAttribute('disabled', '');
  const { checkoutUrl } = await send('/api/buy', { sku });
  if (checkoutUrl) location.assign(checkoutUrl);
  else button.removeAttribute('disabled');
}

const money = ({ price, currency }) =>
  new Intl.NumberFormat(navigator.language, { style: 'currency', currency }).format(price);

function buyButton(offer, attributes, text) {
  const button = element('button', { type: 'button', ...attributes }, text);
  button.addEventListener('click', () => void buy(offer.sku, button));
  return button;
}

function drawShop() {
  const rows = offers.map(offer => {
    const about = element(
      'div',
      {},
      element('p', { class: 'name' }, offer.name),
      element('p', { class: 'quiet' }, offer.description),
    );
    if (offer.level > 1) about.append(element('span', { class: 'needs' }, `From level ${offer.level}`));
    const button = buyButton(
      offer,
      { class: 'buy', 'aria-label': `Buy ${offer.name} for ${money(offer)}` },
      money(offer),
    );
    return element('li', {}, element('span', { class: 'tile' }, picture(offer.art)), about, button);
  });
  byId('shop').replaceChildren(...rows);
}

function cardButton(number) {
  const button = element(
    'button',
    { type: 'button', class: 'card', 'aria-label': `Copy card number ${number}` },
    number,
    picture('copy'),
  );
  const show = (art, isCopied) => {
    button.lastElementChild.replaceWith(picture(art));
    button.classList.toggle('copied', isCopied);
  };
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(number);
    show('yes', true);
    setTimeout(() => show('copy', false), 1500);
  });
  return button;
}

function drawTries() {
  const [handful, chest, egg] = offers;
  const small = (offer, text) => buyButton(offer, { class: 'small' }, text);
  const tries = [
    [
      'Buy crystals',
      'Pay, and come back to find them in your backpack.',
      small(handful, 'Buy 100'),
      cardButton(CARDS.good),
    ],
    [
      'Have a card declined',
      'Nothing is charged, and you can try another card at once.',
      small(handful, 'Buy 100'),
      cardButton(CARDS.declined),
    ],
    [
      'Have the game decline',
      'Below level 3 the game declines the egg. The money is released, not refunded, because it was never captured.',
      small(egg, 'Buy the egg'),
      cardButton(CARDS.good),
    ],
    [
      'Close the tab while paying',
      'Pay and close it at once. The crystals still arrive here.',
      small(chest, 'Buy 1,200'),
      cardButton(CARDS.good),
    ],
    [
      'Leave before paying',
      'Open the payment page and go back. The order waits for a day in the studio corner.',
      small(handful, 'Buy 100'),
    ],
    ['Refund a purchase', 'Click Refund in the studio corner, or do it in the dashboard. The crystals are removed.'],
    [
      'Have the bank reverse it',
      'Pay with this card: moments later the bank reverses the payment.',
      small(handful, 'Buy 100'),
      cardButton(CARDS.disputed),
    ],
  ];
  const rows = tries.map(([title, text, ...does]) => {
    const words = element('div', {}, element('p', { class: 'name' }, title), element('p', { class: 'quiet' }, text));
    return element('li', {}, words, ...(does.length > 0 ? [element('div', { class: 'do' }, ...does)] : []));
  });
  byId('tries').replaceChildren(...rows);
}

function drawPack({ crystals, eggs }) {
  const row = (art, name, count) =>
    element(
      'li',
      {},
      element('span', { class: 'tile' }, picture(art)),
      element('span', { class: 'name' }, name),
      element('span', { class: 'count' }, count.toLocaleString()),
    );
  const rows = [];
  if (crystals !== 0) rows.push(row('handful', 'Crystals', crystals));
  if (eggs !== 0) rows.push(row('egg', eggs === 1 ? 'Dragon egg' : 'Dragon eggs', eggs));
  if (rows.length === 0) rows.push(element('li', { class: 'empty' }, 'Nothing in here but a moth.'));
  byId('pack').replaceChildren(...rows);
}

function purchaseActions({ orderId, status, checkoutUrl, name }) {
  const press = (path, text) =>
    element(
      'button',
      {
        type: 'button',
        class: 'small',
        'aria-label': `${text} ${name}`,
        onclick: event => {
          event.currentTarget.setAttribute('disabled', '');
          void send(path, { orderId });
        },
      },
      text,
    );
  if (status === 'created') {
    return [
      element('a', { class: 'button small', href: checkoutUrl, 'aria-label': `Continue paying ${name}` }, 'Continue'),
      press('/api/cancel', 'Cancel'),
    ];
  }
  if (status !== 'paid') return [];
  const inDashboard = `${dashboardUrl}/orders/${orderId}`;
  return [
    press('/api/refund', 'Refund'),
    element(
      'a',
      { class: 'button small', href: inDashboard, 'aria-label': `${name} in the dashboard` },
      'In the dashboard',
    ),
  ];
}

function drawPurchases({ purchases }) {
  const rows = purchases.map(purchase => {
    const [tone, art, word] = STATUS[purchase.status] ?? ['', 'wait', purchase.status];
    const row = element(
      'li',
      { 'data-status': purchase.status },
      element('span', { class: 'name' }, purchase.name),
      element('span', { class: 'price' }, purchase.price),
    );
    row.append(element('span', { class: `status ${tone}` }, picture(art), word));
    if (purchase.note) row.append(element('p', { class: 'quiet note' }, purchase.note));
    const actions = purchaseActions(purchase);
    if (actions.length > 0) row.append(element('div', { class: 'do' }, ...actions));
    return row;
  });
  if (rows.length === 0) rows.push(element('li', { class: 'empty' }, 'No sales yet.'));
  byId('purchases').replaceChildren(...rows);
}

function drawReceived({ received }) {
  const rows = received.map(({ time, kind, what, answer }) =>
    element(
      'li',
      {},
      element('code', {}, kind),
      element('span', { class: 'what' }, what),
      element('time', {}, new Date(time).toLocaleTimeString()),
      element('span', { class: 'answer' }, answer),
    ),
  );
  if (rows.length === 0) rows.push(element('li', { class: 'empty' }, 'No webhooks yet.'));
  byId('received').replaceChildren(...rows);
}

function tellChange(before, now) {
  const more = now.crystals - before.crystals;
  if (more > 0) toast(`${more.toLocaleString()} crystals arrived.`);
  if (more < 0) toast(`${(-more).toLocaleString()} crystals were removed.`, 'return');
  if (now.eggs > before.eggs) toast('The dragon egg is in your backpack.', 'egg');
  if (now.level > before.level) toast(`Level ${now.level}! The rock sings.`);
  const refused = now.purchases.find(
    one =>
      one.status === 'rejected' && before.purchases.find(old => old.orderId === one.orderId)?.status !== 'rejected',
  );
  if (refused) toast(`${refused.name}: refused by the game. Nothing was charged.`, 'no');
}

function draw(world) {
  for (const node of document.querySelectorAll('[data-crystals]')) node.textContent = world.crystals.toLocaleString();
  document.querySelector('[data-level]').textContent = world.level;
  const left = world.digsToNextLevel;
  document.querySelector('[data-next]').textContent =
    `${left} more ${left === 1 ? 'dig' : 'digs'} to level ${world.level + 1}`;
  byId('progress').value = 5 - left;
  drawPack(world);
  drawPurchases(world);
  drawReceived(world);
  if (seen) tellChange(seen, world);
  if (seen && seen.crystals !== world.crystals) {
    byId('purse').classList.remove('grown');
    requestAnimationFrame(() => byId('purse').classList.add('grown'));
  }
  seen = world;
}

/** The player came back from the payment page. */
function welcome(world) {
  const query = new URLSearchParams(location.search);
  const orderId = query.get('back') ?? query.get('left');
  if (!orderId) return;
  history.replaceState(null, '', '/');
  const purchase = world.purchases.find(one => one.orderId === orderId);
  if (!purchase) return;
  if (query.has('back') && ['paid', 'authorized'].includes(purchase.status))
    toast(`Welcome back! ${purchase.name}, as ordered.`);
  else if (purchase.status === 'rejected') toast(`${purchase.name}: refused by the game. Nothing was charged.`, 'no');
  else if (purchase.status === 'created')
    toast(`Welcome back. ${purchase.name} is waiting in the studio corner.`, 'wait');
}

async function start() {
  ({ offers, dashboardUrl } = await fetch('/api/shop').then(response => response.json()));
  byId('dashboard').href = `${dashboardUrl}/transactions`;
  byId('dig').addEventListener('click', () => void send('/api/dig'));
  drawShop();
  drawTries();
  const live = new EventSource('/api/live');
  live.addEventListener('message', ({ data }) => {
    const isFirst = seen === null;
    const world = JSON.parse(data);
    draw(world);
    if (isFirst) welcome(world);
  });
}

// A page restored from the browser's cache is outdated, so load it again.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
void start();
