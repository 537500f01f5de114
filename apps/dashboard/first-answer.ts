import { fileURLToPath } from 'node:url';
import { build, type IndexHtmlTransformContext, type Plugin } from 'vite';

const FIRST = fileURLToPath(new URL('src/first/main.ts', import.meta.url));

/** The code that runs before the first paint, as one text. */
async function firstScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
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

/** Names the texts of each language; the first script turns one of the links into a load. */
function textLinks({ bundle = {} }: IndexHtmlTransformContext): string {
  return Object.values(bundle)
    .map(file => {
      const id = file.type === 'chunk' ? (file.facadeModuleId ?? '') : '';
      const [, language] = /\/texts\/(\w+)\.json\?first$/.exec(id) ?? [];
      return language === undefined ? '' : `<link data-texts="${language}" href="/dashboard/${file.fileName}">`;
    })
    .join('');
}

/**
 * Puts into the first answer what the first paint needs: style, outline, and the script that asks for data before the app's code
 * has come. The server names each by its hash in the page's policy.
 */
export function firstAnswer(): Plugin {
  return {
    name: 'first-answer',
    transformIndexHtml: {
      order: 'post',
      async handler(html, context) {
        const script = `${textLinks(context)}<script>${await firstScript()}</script>`;
        return withStyle(html, context).replace('<!-- first -->', () => script);
      },
    },
  };
}
