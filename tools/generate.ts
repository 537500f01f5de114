import { mkdirSync, writeFileSync } from 'node:fs';
import { referenceFiles } from './reference.ts';

const root = new URL('../', import.meta.url);

mkdirSync(new URL('docs/reference/calls/', root), { recursive: true });
for (const [path, content] of Object.entries(referenceFiles())) {
  writeFileSync(new URL(path, root), content);
  console.log(`wrote ${path}`);
}
