import type { TextPart } from '../texts/texts.ts';

/** Names of files in `assets/`, as the build gave them. */
export interface FirstFiles {
  /** Language → what the first page says, and what the others say. */
  readonly texts: Readonly<Record<string, Readonly<Record<TextPart, string>>>>;
  /** Each page that has files of its own: its path, as the router names it, what its texts are a part of, and they. */
  readonly pages: readonly (readonly [path: string, texts: TextPart, ...files: string[]])[];
}

const isAt = (pattern: string, path: string): boolean => {
  const parts = path.split('/');
  const wanted = pattern.split('/');
  return wanted.length === parts.length && wanted.every((part, at) => part.startsWith('$') || part === parts[at]);
};

/** An entrance is named from the root on, a page of a game by what follows the game and its environment. */
const pathIn = (address: string): string =>
  address.replace(/^\/dashboard(?:\/g\/[^/]+\/(?:live|sandbox)\/?)?/, '').replace(/\/$/, '');

/**
 * What the page at this address cannot be drawn without, beside the app's code: asked for together with it, not after it has
 * run.
 */
export function firstFiles({ texts, pages }: FirstFiles, address: string, language: string): string[] {
  const said = texts[language];
  const [, part = 'first', ...own] = pages.find(([pattern]) => isAt(pattern, pathIn(address))) ?? [];
  return said ? [...new Set([said.first, said[part], ...own])] : own;
}
