import { preferredLanguage } from '../texts/languages.ts';
import { companyAddresses, earlyAddresses, startEarlyReads } from './early-reads.ts';
import { filesToPreload, type PreloadManifest } from './preload-files.ts';

/** The build fills this in, because it alone knows the hashed file names. */
declare const PRELOAD_MANIFEST: PreloadManifest;

/**
 * This script is inlined into the HTML and runs before the first paint. It sets the theme, so that the dark theme
 * starts without a white flash, and requests what the page needs while the app's code is still loading.
 */
const system = matchMedia('(prefers-color-scheme: dark)');
const root = document.documentElement;

/** Applies the member's choice, or the system's theme without one. It runs again whenever either changes. */
function applyTheme(): void {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem('coinslot.theme');
  } catch {}
  root.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light';
}

applyTheme();
// The shell's outline must not flash up on sign-in and the other pages without a shell.
root.dataset.layout = location.pathname.startsWith('/dashboard/g/') ? 'shell' : 'auth';
addEventListener('coinslot:theme', applyTheme);
system.addEventListener('change', () => dispatchEvent(new Event('coinslot:theme')));

const language = preferredLanguage();
for (const file of filesToPreload(PRELOAD_MANIFEST, location.pathname, language)) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = `/dashboard/assets/${file}`;
  document.head.append(link);
}
const { pathname, search } = location;
void startEarlyReads(earlyAddresses(pathname, search, new Date()), language, session =>
  companyAddresses(pathname, search, session),
);
