import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { firstAnswer } from './first-answer.ts';
import { firstTexts } from './first-texts.ts';
import { precompress } from './precompress.ts';

/** What charts, codes and passkeys need, and dialogs that few open, come with the pages that use them. */
const RARE = /uplot|uqr|@simplewebauthn|\/ui\/chart|\/shell\/(command|keys-dialog|second-factor-gate)/;

/** On a slow network each request costs more than its bytes: what most pages use is one file. */
const isShared = (id: string): boolean =>
  !RARE.test(id) &&
  (/node_modules|rolldown|vite\//.test(id) ||
    /\/dashboard\/src\/(?:kit|ui|first|shell|pages\/home|main|app|router|texts\/texts\.ts)/.test(id) ||
    // Drawn by four pages, and by none without it.
    id.includes('/transactions/transaction-columns'));

const PREACT = [
  { find: /^react(?:-dom)?$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react\/jsx-dev-runtime$/, replacement: 'preact/jsx-dev-runtime' },
];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  // The contract is read from its source, so that this build waits for no other.
  // Preact in React's place: the same components in a tenth of the bytes, which a slow network waits for first.
  resolve: { conditions: ['source', ...defaultClientConditions], alias: PREACT },
  plugins: [react(), tailwindcss(), firstTexts(), firstAnswer(), precompress()],
  build: {
    target: 'es2022',
    manifest: true,
    // The policy allows files of our own and nothing written into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'app', test: isShared }] } } },
  },
  server: { proxy: { '/dashboard/api': 'http://127.0.0.1:4242' } },
});
