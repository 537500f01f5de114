export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT = 'coinslot.theme';

export function currentTheme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEPT, theme);
  // The first script, which runs before the first paint, applies it.
  window.dispatchEvent(new Event('coinslot:theme'));
}

/** What the app looks like now. */
export const isDark = (): boolean => {
  const theme = currentTheme();
  return theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
};
