import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { referenceFiles } from './reference.ts';

const root = new URL('../', import.meta.url);
const files = referenceFiles();

describe('the generated reference', () => {
  it.each(Object.keys(files))('%s is current (else run `npm run generate`)', path => {
    expect(readFileSync(new URL(path, root), 'utf8')).toBe(files[path]);
  });

  it('has no file that is not generated', () => {
    const entries = readdirSync(new URL('docs/reference/', root), { recursive: true, withFileTypes: true });
    const folder = fileURLToPath(root);
    const found = entries.filter(one => one.isFile()).map(one => relative(folder, join(one.parentPath, one.name)));
    const generated = Object.keys(files).filter(path => path.startsWith('docs/reference/'));
    expect(new Set(found)).toEqual(new Set(generated));
  });

  it('links only to headings that exist', () => {
    const anchors = new Map<string, Set<string>>();
    for (const [path, text] of Object.entries(files)) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      anchors.set(
        name,
        new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'))),
      );
    }
    for (const [path, text] of Object.entries(files)) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      for (const [link, file = '', anchor = ''] of text.matchAll(/\]\(([\w.]*)#([\w-]+)\)/g)) {
        expect(anchors.get(file || name)?.has(anchor), `${link} in ${path}`).toBe(true);
      }
    }
  });
});

describe('the OpenAPI document', () => {
  const { components, paths } = JSON.parse(files['docs/reference/openapi.json'] ?? '') as {
    components: Record<string, object> & { schemas: object };
    paths: Record<string, Record<string, { operationId: string }>>;
  };

  it('holds only schemas that compile, and every reference leads somewhere', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, validateFormats: false });
    const definitions = JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/$defs/');
    ajv.addSchema({ $id: 'api', $defs: JSON.parse(definitions) });
    for (const name of Object.keys(components.schemas)) ajv.compile({ $ref: `api#/$defs/${name}` });
    const text = files['docs/reference/openapi.json'] ?? '';
    for (const [, group = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      expect(components[group], `${group} ${name}`).toHaveProperty([name]);
    }
  });

  it('names every operation once', () => {
    const names = Object.values(paths).flatMap(path => Object.values(path).map(operation => operation.operationId));
    expect(new Set(names).size).toBe(names.length);
  });
});
