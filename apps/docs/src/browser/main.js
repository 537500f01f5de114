// Colors by choice, copy buttons, tabs, the console and the search. Without it everything but these works.
import { tryIt } from './console.js';
import { find } from './search.js';
import { languageTabs } from './tabs.js';

const root = document.documentElement;
const stored = () => {
  try {
    return localStorage.getItem('docs-theme');
  } catch {
    return null;
  }
};
const theme = stored();
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;

function themeButton() {
  const button = document.querySelector('[data-theme-button]');
  button.hidden = false;
  button.addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('docs-theme', root.dataset.theme);
    } catch {}
  });
}

function copyButtons() {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    const copy = async () => {
      const text = block.querySelector('code').textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch {
        const range = document.createRange();
        range.selectNodeContents(block.querySelector('code'));
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        button.textContent = 'Press Ctrl-C';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1600);
    };
    button.addEventListener('click', () => void copy());
    block.querySelector('.bar').append(button);
  }
}

function search() {
  const form = document.querySelector('.search');
  const input = form.querySelector('input');
  const list = document.querySelector('.hits');
  form.hidden = false;
  let index;
  let chosen = -1;
  const load = () => (index ??= fetch('/docs/search.json').then(answer => answer.json()));
  const choose = by => {
    const rows = [...list.children];
    if (rows.length === 0) return;
    chosen = (chosen + by + rows.length) % rows.length;
    for (const [i, row] of rows.entries()) row.setAttribute('aria-selected', String(i === chosen));
    rows[chosen].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', rows[chosen].id);
  };
  const show = async () => {
    const query = input.value.trim();
    chosen = -1;
    input.removeAttribute('aria-activedescendant');
    const hits = query === '' ? [] : find(await load(), query);
    if (input.value.trim() !== query) return;
    list.hidden = query === '';
    input.setAttribute('aria-expanded', String(!list.hidden));
    list.replaceChildren(
      ...hits.map((hit, i) => {
        const row = document.createElement('a');
        row.id = `hit-${i}`;
        row.href = hit.url;
        row.tabIndex = -1;
        row.setAttribute('role', 'option');
        row.setAttribute('aria-selected', 'false');
        row.textContent = hit.heading ? `${hit.page} › ${hit.heading}` : hit.page;
        const about = document.createElement('small');
        about.textContent = hit.text.slice(0, 110);
        row.append(about);
        return row;
      }),
    );
    document.querySelector('[data-search-said]').textContent =
      query === '' ? '' : hits.length === 0 ? 'Nothing found' : `${hits.length} found`;
    if (hits.length === 0) list.hidden = true;
  };
  input.addEventListener('focus', load);
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      choose(event.key === 'ArrowDown' ? 1 : -1);
    }
    if (event.key === 'Escape') {
      input.value = '';
      void show();
      input.blur();
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      (list.querySelector('[aria-selected=true]') ?? list.querySelector('a'))?.click();
    }
  });
  document.addEventListener('keydown', event => {
    const isTyping = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? '');
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
  });
  document.addEventListener('click', event => {
    if (!form.contains(event.target)) list.hidden = true;
  });
}

function start() {
  const nav = document.querySelector('.nav .all');
  if (matchMedia('(max-width: 959px)').matches) nav.open = false;
  const here = nav.querySelector('[aria-current]');
  if (here && nav.open) nav.parentElement.scrollTop = here.offsetTop - nav.parentElement.clientHeight / 2;
  themeButton();
  copyButtons();
  languageTabs();
  tryIt();
  search();
}
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
