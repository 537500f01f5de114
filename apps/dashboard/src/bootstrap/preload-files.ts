import type { TextPart } from '../texts/texts.ts';

/** File names in `assets/`, as the build produced them. */
export interface PreloadManifest {
  /** Language → text part → file. */
  readonly texts: Readonly<Record<string, Readonly<Record<TextPart, string>>>>;
  /** Every page that is built into files of its own: its path in the router, the part with its texts, and the files. */
  readonly pages: readonly (readonly [path: string, texts: TextPart, ...files: string[]])[];
}

const isAt = (pattern: string, path: string): boolean => {
  const parts = path.split('/');
  const wanted = pattern.split('/');
  return wanted.length === parts.length && wanted.every((part, at) => part.startsWith('$') || part === parts[at]);
};

/** Auth pages are named from the root. Pages of a game are named by what follows the game and its environment. */
const pathIn = (address: string): string =>
  address.replace(/^\/dashboard(?:\/g\/[^/]+\/(?:live|sandbox)\/?)?/, '').replace(/\/$/, '');

/**
 * Lists the files that the page at this address needs besides the app chunk, so that the browser can load them in
 * parallel instead of one after the other.
 */
export function filesToPreload({ texts, pages }: PreloadManifest, address: string, language: string): string[] {
  const files = texts[language];
  const [, part = 'core', ...own] = pages.find(([pattern]) => isAt(pattern, pathIn(address))) ?? [];
  return files ? [...new Set([files.core, files[part], ...own])] : own;
}
