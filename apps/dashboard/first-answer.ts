import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type IndexHtmlTransformContext, type Plugin } from 'vite';
import type { FirstFiles } from './src/first/first-files.ts';
import type { TextPart } from './src/texts/texts.ts';

const FIRST = fileURLToPath(new URL('src/first/main.ts', import.meta.url));

const ROUTER = fileURLToPath(new URL('src/router.tsx', import.meta.url));

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;

/** The code that runs before the first paint, as one text. */
async function firstScript(files: FirstFiles): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { FIRST_FILES: JSON.stringify(files) },
    build: { write: false, lib: { entry: FIRST, formats: ['iife'], name: 'first' }, target: 'es2022' },
  });
  const [result] = Array.isArray(built) ? built : [built];
  const chunk = result && 'output' in result ? result.output[0] : undefined;
  if (!chunk) throw new Error('the first script was not built');
  return chunk.code.trim();
}

/** The style goes into the page, so that the outline is drawn with the first answer. */
function withStyle(html: string, { bundle = {} }: IndexHtmlTransformContext): string {
  return html.replace(/<link rel="stylesheet"[^>]*href="\/dashboard\/([^"]+\.css)"[^>]*>/, (link, name: string) => {
    const file = bundle[name];
    return file?.type === 'asset' ? `<style>${String(file.source).trim()}</style>` : link;
  });
}

/** The file made of this module, and what it imports; none when the module is a part of the app's one file. */
function filesOf(bundle: Bundle, module: string): string[] {
  const start = Object.values(bundle).find(file => file.type === 'chunk' && file.facadeModuleId === module);
  const found = new Set<string>();
  const visit = (name: string): void => {
    const file = bundle[name];
    // The page names the app's one file itself.
    if (file?.type !== 'chunk' || file.isEntry || found.has(name) || /\/(?:app|rolldown-runtime)-/.test(name)) return;
    found.add(name);
    file.imports.forEach(visit);
  };
  if (start) visit(start.fileName);
  return [...found].map(name => name.replace('assets/', ''));
}

/** Path, where its texts are, and module, as the router's table says it. */
function pagesOf(router: string): [path: string, texts: TextPart, module: string][] {
  const pages = [...router.matchAll(/\['([^']+)', (page|shop|setup)\(\(\) => import\('\.\/([^']+)'\)/g)];
  const imports = [...router.matchAll(/import\('\.\/pages\//g)];
  if (pages.length === 0 || pages.length !== imports.length)
    throw new Error('router.tsx: not every page could be read');
  return pages.map(([, path = '', texts, module = '']) => [
    path,
    texts === 'shop' || texts === 'setup' ? texts : 'first',
    fileURLToPath(new URL(`src/${module}`, import.meta.url)),
  ]);
}

/** What each page needs beside the app's one file. */
function firstFilesOf(bundle: Bundle): FirstFiles {
  const texts = Object.values(bundle).flatMap(file => {
    const id = file.type === 'chunk' ? (file.facadeModuleId ?? '') : '';
    const [, language] = /\/texts\/(\w+)\.json\?first$/.exec(id) ?? [];
    if (language === undefined) return [];
    const [first, shop, setup] = ['first', 'shop', 'setup'].flatMap(part =>
      filesOf(bundle, id.replace(/first$/, part)),
    );
    if (!first || !shop || !setup) throw new Error(`the texts of ${language} are not three files`);
    return [[language, { first, shop, setup }] as const];
  });
  const pages = pagesOf(readFileSync(ROUTER, 'utf8')).map(
    ([path, part, module]) => [path, part, ...filesOf(bundle, module)] as const,
  );
  return { texts: Object.fromEntries(texts), pages: pages.filter(([, , ...files]) => files.length > 0) };
}

/**
 * Puts into the first answer what the first paint needs: style, outline, and the script that asks for files and data before the
 * app's code has come. The server names each by its hash in the page's policy.
 */
export function firstAnswer(): Plugin {
  return {
    name: 'first-answer',
    transformIndexHtml: {
      order: 'post',
      async handler(html, context) {
        const files = context.bundle ? firstFilesOf(context.bundle) : { texts: {}, pages: [] };
        const script = `<script>${await firstScript(files)}</script>`;
        return withStyle(html, context).replace('<!-- first -->', () => script);
      },
    },
  };
}
