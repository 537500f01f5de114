import type { FormView, ItemView, OutcomeView } from './checkout-view.ts';
import { type Html, html } from './html.ts';
import type { Say } from './languages.ts';
import { ICONS } from './marks.ts';
import { picture } from './page-links.ts';

type OrderView = FormView | OutcomeView;

/** The game's name is the page's heading unless an outcome is. */
export function renderGame(view: OrderView, say: Say, heading: boolean): Html {
  const name = html`<bdi>${view.gameName}</bdi>`;
  return html`<header class="game">
${renderTile(view.gameIconUrl, initialOf(view.gameName))}
<div>
${heading ? html`<h1>${name}</h1>` : html`<p class="name">${name}</p>`}
${view.playerName !== null && html`<p class="small">${say('for_player', { player: view.playerName })}</p>`}
</div>
${renderLogo(view.logoUrl)}
</header>`;
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first grapheme, which can be several code points. */
function initialOf(name: string): string {
  const [first] = letters.segment(name.trim());
  return first?.segment.toUpperCase() ?? '';
}

function renderLogo(url: string | null): Html | null {
  const source = picture(url);
  if (source === null) return null;
  return html`<img class="logo" src="${source}" alt="" height="32" decoding="async" referrerpolicy="no-referrer">`;
}

export function renderItems(view: OrderView, say: Say): Html {
  return html`${renderList(view.items, say)}
${view.discount !== null && html`<dl class="total less"><dt>${say('discount')}</dt><dd>${view.discount}</dd></dl>`}
<dl class="total"><dt>${say('total')}</dt><dd>${view.free ? say('free') : view.total}</dd></dl>`;
}

/** More items would push the form off a phone's first screen. */
const MOST_UNFOLDED = 3;
const SHOWN_FOLDED = 2;

function renderList(items: readonly ItemView[], say: Say): Html {
  const list = (some: readonly ItemView[]): Html =>
    html`<ul class="items">${some.map(item => renderItem(item, say))}</ul>`;
  if (items.length <= MOST_UNFOLDED) return list(items);
  const [shown, folded] = [items.slice(0, SHOWN_FOLDED), items.slice(SHOWN_FOLDED)];
  return html`${list(shown)}<details class="fold"><summary>${say('all_items', { count: String(items.length) })}</summary>${list(folded)}</details>`;
}

function renderItem(item: ItemView, say: Say): Html {
  return html`<li>
${renderTile(item.imageUrl, ICONS.item)}
<div class="what">
<p class="name"><bdi>${item.name}</bdi>${item.quantity !== null && renderQuantity(item.quantity, say)}</p>
${item.description !== null && html`<p class="small about"><bdi>${item.description}</bdi></p>`}
</div>
${item.price !== null && renderPrice(item.price, item.oldPrice, say)}
</li>`;
}

function renderQuantity(quantity: string, say: Say): Html {
  return html` <span class="times"><span class="unseen">${say('quantity')} </span><span aria-hidden="true">× </span>${quantity}</span>`;
}

function renderPrice(price: string, oldPrice: string | null, say: Say): Html {
  if (oldPrice === null) return html`<p class="price">${price}</p>`;
  return html`<p class="price"><span class="unseen">${say('new_price')} </span>${price} <s><span class="unseen">${say('old_price')} </span>${oldPrice}</s></p>`;
}

/**
 * The picture covers what stands in its tile, and the script takes away one that cannot be shown. Screen readers skip it,
 * because the name is beside it.
 */
function renderTile(url: string | null, instead: Html | string): Html {
  const source = picture(url);
  return html`<span class="tile" aria-hidden="true">${instead}${source !== null && html`<img src="${source}" alt="" width="48" height="48" decoding="async" referrerpolicy="no-referrer">`}</span>`;
}
