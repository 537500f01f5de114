import { escapeHtml } from '@coinslot/checkout-page';
import { Marked, Renderer, type Tokens } from 'marked';
import { highlight } from './highlight.ts';

export interface Heading {
  depth: number;
  text: string;
  anchor: string;
}

export interface Section {
  /** Null for what stands before the first heading below the title. */
  heading: Heading | null;
  /** Plain text, for the search. */
  text: string;
}

export interface RenderedMarkdown {
  title: string;
  html: string;
  headings: Heading[];
  sections: Section[];
}

/** As GitHub makes them, so that the same link works in the file and on the page. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const plain = (markdown: string): string =>
  markdown
    .replace(/<!--[\s\S]*?-->|^ *```.*$/gm, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|^[#>-]+ |---/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const NAMES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  text: 'Prints',
  js: 'JavaScript',
  ts: 'TypeScript',
  csharp: 'C#',
  cpp: 'C++',
  swift: 'Swift',
  kotlin: 'Kotlin',
  json: 'JSON',
  yaml: 'YAML',
  xml: 'XML',
  csv: 'CSV',
  python: 'Python',
  go: 'Go',
  java: 'Java',
};

function codeBlock({ text, lang }: Tokens.Code): string {
  const [language = '', ...notes] = (lang ?? '').split(' ');
  const noteOf = (name: string): string | undefined =>
    notes.find(note => note.startsWith(`${name}=`))?.slice(name.length + 1);
  const tab = noteOf('tab');
  const label = tab ?? noteOf('file') ?? NAMES[language] ?? language;
  const isRun = !notes.includes('not-run');
  const warning = tab ? `${escapeHtml(tab)} · <b>Not run by our tests</b>` : '<b>Not run by our tests</b>';
  const bar = isRun ? escapeHtml(label) : warning;
  const code = `<pre tabindex="0"><code class="language-${escapeHtml(language)}">${highlight(text, language)}</code></pre>`;
  const inTab = tab ? ` data-tab="${escapeHtml(tab)}"` : '';
  return `<div class="code"${inTab}><div class="bar"><span>${bar}</span></div>${code}</div>\n`;
}

export function renderMarkdown(text: string, resolveLink: (href: string) => string | null): RenderedMarkdown {
  const headings: Heading[] = [];
  const seen = new Map<string, number>();
  const sections: Section[] = [{ heading: null, text: '' }];
  let title = '';

  class PageRenderer extends Renderer {
    override code(token: Tokens.Code): string {
      return codeBlock(token);
    }
    override html({ text: html }: Tokens.HTML | Tokens.Tag): string {
      return html.startsWith('<!--') ? '' : escapeHtml(html);
    }
    override heading({ tokens, depth, text: raw }: Tokens.Heading): string {
      const inner = this.parser.parseInline(tokens);
      const words = plain(raw);
      if (depth === 1 && title === '') {
        title = words;
        return `<h1>${inner}</h1>\n`;
      }
      const base = anchorOf(words);
      const times = seen.get(base) ?? 0;
      seen.set(base, times + 1);
      const anchor = times === 0 ? base : `${base}-${times}`;
      headings.push({ depth, text: words, anchor });
      return `<h${depth} id="${anchor}"><a href="#${anchor}">${inner}</a></h${depth}>\n`;
    }
    override link({ href, tokens }: Tokens.Link): string {
      const inner = this.parser.parseInline(tokens);
      const target = resolveLink(href);
      return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
    }
    override image({ href, text: alt }: Tokens.Image): string {
      const target = resolveLink(href);
      return target === null ? '' : `<img src="${escapeHtml(target)}" alt="${escapeHtml(alt)}" loading="lazy">`;
    }
    override table(token: Tokens.Table): string {
      return `<div class="table" role="group" aria-label="Table" tabindex="0">${super.table(token)}</div>`;
    }
  }

  const marked = new Marked();
  marked.setOptions({ renderer: new PageRenderer() });
  const html = marked.parse(text, { async: false });
  let next = 0;
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading' && token.depth > 1) sections.push({ heading: headings[next++] ?? null, text: '' });
    else if (token.type !== 'heading') sections.at(-1)!.text += ` ${plain(token.raw)}`;
  }
  return { title, html, headings, sections };
}
