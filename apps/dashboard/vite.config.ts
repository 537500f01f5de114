import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { inlineBootstrap } from './inline-bootstrap.ts';
import { precompress } from './precompress.ts';
import { splitTexts } from './split-texts.ts';

/** Charts, QR codes, passkeys and rarely used dialogs are loaded with the pages that use them. */
const LOADED_LATER =
  /uplot|uqr|@simplewebauthn|\/ui\/chart|\/shell\/(command-palette|shortcuts-dialog|second-factor-gate)/;

/** On a slow network each request costs more than its bytes, so what most pages use is one file. */
const isShared = (id: string): boolean =>
  !LOADED_LATER.test(id) &&
  (/node_modules|rolldown|vite\//.test(id) ||
    /\/dashboard\/src\/(?:kit|ui|bootstrap|shell|pages\/home|main|app|router|texts\/texts\.ts)/.test(id) ||
    // Several pages use these columns, views and acts on many rows, and cannot be shown without them.
    /\/pages\/(?:transactions\/transaction-columns|views\/|orders\/bulk-dialog)/.test(id));

const PREACT = [
  { find: /^react(?:-dom)?$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react\/jsx-dev-runtime$/, replacement: 'preact/jsx-dev-runtime' },
];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  // The contract is read from its source, so that this build does not wait for another. Preact replaces React: the same
  // components in a tenth of the bytes.
  resolve: { conditions: ['source', ...defaultClientConditions], alias: PREACT },
  plugins: [react(), tailwindcss(), splitTexts(), inlineBootstrap(), precompress()],
  build: {
    target: 'es2022',
    manifest: true,
    // The Content-Security-Policy allows no inlined assets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'app', test: isShared }] } } },
  },
  server: { proxy: { '/dashboard/api': 'http://127.0.0.1:4242' } },
});
