import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type IndexHtmlTransformContext, type Plugin } from 'vite';
import type { PreloadManifest } from './src/bootstrap/preload-files.ts';
import type { TextPart } from './src/texts/texts.ts';

const BOOTSTRAP = fileURLToPath(new URL('src/bootstrap/main.ts', import.meta.url));

const ROUTER = fileURLToPath(new URL('src/router.tsx', import.meta.url));

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;

/** Builds the code that runs before the first paint into one string. */
async function bootstrapScript(files: PreloadManifest): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { PRELOAD_MANIFEST: JSON.stringify(files) },
    build: { write: false, lib: { entry: BOOTSTRAP, formats: ['iife'], name: 'bootstrap' }, target: 'es2022' },
  });
  const [result] = Array.isArray(built) ? built : [built];
  const chunk = result && 'output' in result ? result.output[0] : undefined;
  if (!chunk) throw new Error('the bootstrap script was not built');
  return chunk.code.trim();
}

/** Inlines the stylesheet, so that the browser can draw the outline without a second request. */
function withStyle(html: string, { bundle = {} }: IndexHtmlTransformContext): string {
  return html.replace(/<link rel="stylesheet"[^>]*href="\/dashboard\/([^"]+\.css)"[^>]*>/, (link, name: string) => {
    const file = bundle[name];
    return file?.type === 'asset' ? `<style>${String(file.source).trim()}</style>` : link;
  });
}

/**
 * Lists the file built from this module and the files it imports. A module that was bundled into the app chunk has
 * none.
 */
function filesOf(bundle: Bundle, module: string): string[] {
  const start = Object.values(bundle).find(file => file.type === 'chunk' && file.facadeModuleId === module);
  const found = new Set<string>();
  const visit = (name: string): void => {
    const file = bundle[name];
    // The HTML already loads the app chunk.
    if (file?.type !== 'chunk' || file.isEntry || found.has(name) || /\/(?:app|rolldown-runtime)-/.test(name)) return;
    found.add(name);
    file.imports.forEach(visit);
  };
  if (start) visit(start.fileName);
  return [...found].map(name => name.replace('assets/', ''));
}

/** Reads path, text part and module of each page from the router's table. */
function pagesOf(router: string): [path: string, texts: TextPart, module: string][] {
  const pages = [...router.matchAll(/\['([^']+)', (page|shop|setup)\(\(\) => import\('\.\/([^']+)'\)/g)];
  const imports = [...router.matchAll(/import\('\.\/pages\//g)];
  if (pages.length === 0 || pages.length !== imports.length)
    throw new Error('router.tsx: not every page could be read');
  return pages.map(([, path = '', texts, module = '']) => [
    path,
    texts === 'shop' || texts === 'setup' ? texts : 'core',
    fileURLToPath(new URL(`src/${module}`, import.meta.url)),
  ]);
}

/** Lists the files that each page needs besides the app chunk. */
function preloadManifest(bundle: Bundle): PreloadManifest {
  const texts = Object.values(bundle).flatMap(file => {
    const id = file.type === 'chunk' ? (file.facadeModuleId ?? '') : '';
    const [, language] = /\/texts\/(\w+)\.json\?core$/.exec(id) ?? [];
    if (language === undefined) return [];
    const [core, shop, setup] = ['core', 'shop', 'setup'].flatMap(part => filesOf(bundle, id.replace(/core$/, part)));
    if (!core || !shop || !setup) throw new Error(`the texts of ${language} are not three files`);
    return [[language, { core, shop, setup }] as const];
  });
  const pages = pagesOf(readFileSync(ROUTER, 'utf8')).map(
    ([path, part, module]) => [path, part, ...filesOf(bundle, module)] as const,
  );
  return { texts: Object.fromEntries(texts), pages: pages.filter(([, , ...files]) => files.length > 0) };
}

/**
 * Inlines into index.html what the first paint needs: the styles, the outline, and the script that requests files and
 * data before the app's code has arrived. The server allows each of them by its hash in the Content-Security-Policy.
 */
export function inlineBootstrap(): Plugin {
  return {
    name: 'inline-bootstrap',
    transformIndexHtml: {
      order: 'post',
      async handler(html, context) {
        const files = context.bundle ? preloadManifest(context.bundle) : { texts: {}, pages: [] };
        const script = `<script>${await bootstrapScript(files)}</script>`;
        return withStyle(html, context).replace('<!-- bootstrap -->', () => script);
      },
    },
  };
}
