import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { precompress } from './precompress.ts';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  // The contract is read from its source, so that this build waits for no other.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    target: 'es2022',
    manifest: true,
    // The policy allows files of our own and nothing written into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/dashboard/api': 'http://127.0.0.1:4242' } },
});
