// Runs before the first paint, so that the dark theme starts without a white flash. A file, because the policy forbids inline scripts.
const system = matchMedia('(prefers-color-scheme: dark)');

/** What the reader chose, else what the system has; told again whenever one of the two changes. */
function applyTheme() {
  let chosen = null;
  try {
    chosen = localStorage.getItem('coinslot.theme');
  } catch {}
  const isChosen = chosen === 'light' || chosen === 'dark';
  document.documentElement.dataset.theme = isChosen ? chosen : system.matches ? 'dark' : 'light';
}

applyTheme();
// The outline of the shell would be wrong for sign-in and its neighbors.
document.documentElement.dataset.place = location.pathname.startsWith('/dashboard/g/') ? 'shell' : 'entrance';
addEventListener('coinslot:theme', applyTheme);
system.addEventListener('change', () => dispatchEvent(new Event('coinslot:theme')));
