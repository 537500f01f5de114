import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const TEMPLATES = ['express', 'fastify', 'hono', 'next', 'python', 'go'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

interface Source {
  /** One of our templates, or one of the example receivers. */
  from: 'templates' | 'receivers';
  path: string;
}

export interface Template {
  /** File name in the new folder → its source. */
  files: Record<string, Source>;
  /** For package.json. Without dependencies there is none. */
  dependencies?: Record<string, string>;
  /** The command that installs the dependencies. */
  install?: string;
  /** The command that starts the receiver with PORT and WEBHOOK_SECRET in its environment. */
  start: string;
}

const template = (path: string): Source => ({ from: 'templates', path });

const node = (entry: string, start: string, dependencies: Record<string, string>): Template => ({
  files: { 'coinslot.js': template('node/coinslot.js'), [entry.slice(entry.indexOf('/') + 1)]: template(entry) },
  dependencies,
  install: 'npm install --no-audit --no-fund',
  start,
});

export const TEMPLATE: Record<TemplateName, Template> = {
  express: node('express/index.js', 'node index.js', { express: '5.3.0' }),
  fastify: node('fastify/index.js', 'node index.js', { fastify: '5.12.8' }),
  hono: node('hono/index.js', 'node index.js', { hono: '4.13.17', '@hono/node-server': '2.1.6' }),
  next: node('next/app/webhook/route.js', 'npx next dev -p $PORT', {
    next: '16.4.6',
    react: '19.3.1',
    'react-dom': '19.3.1',
  }),
  python: { files: { 'receiver.py': { from: 'receivers', path: 'python/receiver.py' } }, start: 'python3 receiver.py' },
  go: { files: { 'receiver.go': { from: 'receivers', path: 'go/receiver.go' } }, start: 'go run receiver.go' },
};

/** In the published package the receivers stand beside the templates, in the repository among the examples. */
const FOLDERS = {
  templates: ['../../templates/'],
  receivers: ['../../receivers/', '../../../../examples/receivers/'],
} as const;

export function fileOf({ from, path }: Source): string {
  const places = FOLDERS[from].map(place => fileURLToPath(new URL(place + path, import.meta.url)));
  return places.find(existsSync) ?? places[0]!;
}
