export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'coinslot.theme';

export function currentTheme(): Theme {
  const kept = localStorage.getItem(STORAGE_KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme);
  // The bootstrap script listens for this and applies the theme.
  window.dispatchEvent(new Event('coinslot:theme'));
}

/** Whether the app is dark right now. */
export const isDark = (): boolean => {
  const theme = currentTheme();
  return theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
};
