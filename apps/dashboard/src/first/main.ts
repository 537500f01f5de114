import { ownLanguage } from '../texts/languages.ts';
import { type FirstFiles, firstFiles } from './first-files.ts';
import { askFirst, companyAddresses, firstAddresses } from './first-reads.ts';

/** Put in by the build, which alone knows the names. */
declare const FIRST_FILES: FirstFiles;

/**
 * Stands in the page itself and runs before the first paint: the dark theme starts without a white flash, and what the page
 * needs and will read is asked for while the app's code is still on its way.
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
for (const file of firstFiles(FIRST_FILES, location.pathname, language)) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = `/dashboard/assets/${file}`;
  document.head.append(link);
}
const { pathname, search } = location;
void askFirst(firstAddresses(pathname, search, new Date()), language, session =>
  companyAddresses(pathname, search, session),
);
