import { ownLanguage } from '../texts/languages.ts';
import { askFirst, firstAddresses } from './first-reads.ts';

/**
 * Stands in the page itself and runs before the first paint: the dark theme starts without a white flash, and what the page
 * will read is asked for while the app's code is still on its way.
 */
const system = matchMedia('(prefers-color-scheme: dark)');
const root = document.documentElement;

/** What the reader chose, else what the system has; told again whenever one of the two changes. */
function applyTheme(): void {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem('coinslot.theme');
  } catch {}
  root.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light';
}

applyTheme();
// The outline of the shell would be wrong for sign-in and its neighbors.
root.dataset.place = location.pathname.startsWith('/dashboard/g/') ? 'shell' : 'entrance';
addEventListener('coinslot:theme', applyTheme);
system.addEventListener('change', () => dispatchEvent(new Event('coinslot:theme')));

const language = ownLanguage();
const texts = document.querySelector(`link[data-texts="${language}"]`);
if (texts) texts.setAttribute('rel', 'modulepreload');
askFirst(firstAddresses(location.pathname, location.search, new Date()), language);
