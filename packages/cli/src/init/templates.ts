import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const TEMPLATES = ['express', 'fastify', 'hono', 'next', 'python', 'go'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

interface Source {
  /** Where it comes from: a template of ours, or a receiver of the examples. */
  from: 'templates' | 'receivers';
  path: string;
}

export interface Template {
  /** Name in the new folder → where it comes from. */
  files: Record<string, Source>;
  /** For package.json; without it there is none. */
  dependencies?: Record<string, string>;
  /** What installs the dependencies. */
  install?: string;
  /** Starts the receiver; PORT and WEBHOOK_SECRET are in the environment. */
  start: string;
}

const ours = (path: string): Source => ({ from: 'templates', path });

const node = (entry: string, start: string, dependencies: Record<string, string>): Template => ({
  files: { 'coinslot.js': ours('node/coinslot.js'), [entry.slice(entry.indexOf('/') + 1)]: ours(entry) },
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

/** In a package the receivers stand beside the templates, in the repository among the examples. */
const PLACES = {
  templates: ['../../templates/'],
  receivers: ['../../receivers/', '../../../../examples/receivers/'],
} as const;

export function fileOf({ from, path }: Source): string {
  const places = PLACES[from].map(place => fileURLToPath(new URL(place + path, import.meta.url)));
  return places.find(existsSync) ?? places[0]!;
}
