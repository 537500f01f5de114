import { escapeHtml } from '@coinslot/checkout-page';
import type { Heading } from './markdown.ts';

export interface NavEntry {
  title: string;
  url: string;
}

export interface NavSection {
  title: string;
  entries: NavEntry[];
  /** Shown by its title alone until it is opened, unless the open page is in it. */
  isFolded: boolean;
}

export interface DocsPage {
  title: string;
  url: string;
  html: string;
  headings: Heading[];
  /** The same as a file; null for a page that is no file. */
  markdownUrl: string | null;
}

export interface DocsFrame {
  nav: NavSection[];
  styleUrl: string;
  scriptUrl: string;
  version: string;
}

const MARK =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4.5 14.5a8 8 0 1 1 15 0z"/><rect x="1.5" y="17" width="21" height="3" rx="1.5"/></svg>';
const HALF_MOON =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8"/><path d="M12 4v16" /><path d="M12 8h6M12 12h8M12 16h6"/></svg>';

const MIN_HEADINGS_FOR_CONTENTS = 3;
const MAX_HEADINGS_IN_CONTENTS = 40;

function navigation(nav: NavSection[], current: string): string {
  const entry = ({ title, url }: NavEntry): string =>
    `<li><a href="${url}"${url === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const section = ({ title, entries, isFolded }: NavSection): string => {
    const list = `<ul>${entries.map(entry).join('')}</ul>`;
    if (!isFolded) return `<h2>${escapeHtml(title)}</h2>${list}`;
    const isHere = entries.some(({ url }) => url === current);
    return `<details class="fold"${isHere ? ' open' : ''}><summary>${escapeHtml(title)}</summary>${list}</details>`;
  };
  // Open without script; on a phone the script closes it.
  return `<nav class="nav" aria-label="Documentation"><details class="all" open><summary>All pages</summary>${nav.map(section).join('')}</details></nav>`;
}

function contents(headings: Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2).slice(0, MAX_HEADINGS_IN_CONTENTS);
  if (shown.length < MIN_HEADINGS_FOR_CONTENTS) return '';
  const links = shown.map(({ anchor, text }) => `<li><a href="#${anchor}">${escapeHtml(text)}</a></li>`);
  return `<aside class="toc" aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></aside>`;
}

function neighbors(nav: NavSection[], current: string): string {
  const all = nav.flatMap(({ entries }) => entries);
  const at = all.findIndex(({ url }) => url === current);
  const link = (entry: NavEntry | undefined, words: (title: string) => string): string =>
    entry === undefined || at < 0 ? '<span></span>' : `<a href="${entry.url}">${words(escapeHtml(entry.title))}</a>`;
  return link(all[at - 1], title => `← ${title}`) + link(all[at + 1], title => `${title} →`);
}

/** One page of the documentation, whole and readable without script. */
export function renderDocsPage(page: DocsPage, frame: DocsFrame): string {
  const toc = contents(page.headings);
  const raw = page.markdownUrl ? `<a href="${page.markdownUrl}">This page as Markdown</a>` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Coinslot</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${frame.styleUrl}">
${page.markdownUrl ? `<link rel="alternate" type="text/markdown" href="${page.markdownUrl}">` : ''}
<script src="${frame.scriptUrl}"></script>
</head>
<body>
<a class="skip" href="#text">To the text</a>
<header class="top">
<a class="brand" href="/docs">${MARK}Coinslot <span>docs</span></a>
<div class="search" role="search" hidden>
<input type="search" role="combobox" placeholder="Search" aria-label="Search the documentation (press / )" aria-expanded="false" aria-controls="hits" autocomplete="off" spellcheck="false">
<div class="hits" id="hits" role="listbox" aria-label="Found" hidden></div>
<span role="status" data-search-said class="unseen"></span>
</div>
<button class="round" type="button" data-theme-button hidden aria-label="Switch between light and dark">${HALF_MOON}</button>
</header>
<div class="frame${toc ? ' with-toc' : ''}">
${navigation(frame.nav, page.url)}
<main class="text" id="text">
${page.html}
<footer class="foot">${neighbors(frame.nav, page.url)}</footer>
<footer class="foot">${raw}<span>Coinslot ${escapeHtml(frame.version)}</span></footer>
</main>
${toc}
</div>
</body>
</html>
`;
}
