import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUIDES } from './guide-link.tsx';

const DOCS = new URL('../../../../', import.meta.url);

/** The docs derive their anchors from headings in this way. */
const anchors = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );

test.each(Object.entries(GUIDES))('the link of %s leads to a page of the docs and to its place there', (_, address) => {
  const [path = '', anchor] = address.split('#');
  const markdown = readFileSync(new URL(`${path.slice(1)}.md`, DOCS), 'utf8');
  if (anchor !== undefined) expect(anchors(markdown)).toContain(anchor);
});
