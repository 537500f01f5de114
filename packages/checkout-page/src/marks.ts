import { Html } from './html.ts';

function icon(paths: string): Html {
  return new Html(
    `<svg class="icon" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${paths}</svg>`,
  );
}

/** A coin halfway into a slot. */
const COIN_AND_SLOT = '<path d="M4.5 14.5a8 8 0 1 1 15 0z"/><rect x="1.5" y="17" width="21" height="3" rx="1.5"/>';

const FAVICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="#f2a900"><rect width="24" height="24" rx="6" fill="#10131a"/><g transform="translate(3 2.5) scale(.75)">${COIN_AND_SLOT}</g></svg>`;

/** Inlined, so that a visit is one request and browsers do not request /favicon.ico. */
export const FAVICON = `data:image/svg+xml,${encodeURIComponent(FAVICON_SVG)}`;

export const ICONS = {
  wait: new Html('<span class="spinner" aria-hidden="true"></span>'),
  good: icon('<path d="M5 12.5l4.5 4.5L19 7.5"/>'),
  shield: icon('<path d="M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6z"/><path d="M9 12l2 2 4-4"/>'),
  clock: icon('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>'),
  back: icon('<path d="M4 9h10a5 5 0 0 1 0 10H9"/><path d="M8 5L4 9l4 4"/>'),
  no: icon('<path d="M6 6l12 12M18 6L6 18"/>'),
  warn: icon('<path d="M12 4l9 16H3z"/><path d="M12 10v4M12 17v.01"/>'),
  plug: icon('<path d="M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4"/>'),
  globe: icon('<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"/>'),
  card: icon('<rect x="2" y="5" width="20" height="14" rx="2.5"/><path d="M2 10h20M6 15h4"/>'),
  leave: icon('<path d="M15 5l-7 7 7 7"/>'),
  lock: icon('<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>'),
  item: icon('<path d="M6 4h12l4 6-10 11L2 10z"/><path d="M2 10h20M9 10l3 11 3-11"/>'),
  search: icon('<circle cx="11" cy="11" r="7"/><path d="M16 16l5 5"/>'),
} as const;
