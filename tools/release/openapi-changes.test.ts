import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { openApiDocument } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { breakingChanges, type OpenApi } from './openapi-changes.ts';
import { releaseFolder, releasesIn } from './released.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const today = (): OpenApi => structuredClone(openApiDocument()) as unknown as OpenApi;

describe('the API', () => {
  it('takes nothing from callers of a released version', () => {
    for (const { version } of releasesIn(ROOT)) {
      const file = join(releaseFolder(ROOT, version), 'openapi.json.gz');
      const old = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as OpenApi;
      expect([version, breakingChanges(old, today())]).toEqual([version, []]);
    }
  });

  it('is found out when a call, an answered field or a freedom of the caller is gone', () => {
    expect(breakingChanges(today(), today())).toEqual([]);
    const changed = today();
    delete changed.paths['/s2s/v1/orders/{order_id}/cancel'];
    const order = changed.components!.schemas!.Order as { properties: Record<string, unknown> };
    delete order.properties.player_id;
    const create = changed.paths['/s2s/v1/orders']!.post!;
    create.parameters = [...(create.parameters ?? []), { name: 'Region', in: 'header', required: true }];
    const found = breakingChanges(today(), changed);
    expect(found).toEqual(
      expect.arrayContaining([
        'POST /s2s/v1/orders/{order_id}/cancel is gone',
        'POST /s2s/v1/orders wants the header parameter Region',
        'GET /s2s/v1/orders/{order_id} no longer answers .player_id',
      ]),
    );
    // The other way round it is an addition.
    expect(breakingChanges(changed, today())).toEqual([]);
  });

  it('is found out when a field of a body becomes a duty', () => {
    const [old, now] = [{ required: ['a'] }, { required: ['a', 'b'] }].map(({ required }): OpenApi => {
      const schema = { properties: { a: { type: 'string' }, b: { type: 'string' } }, required };
      return { paths: { '/x': { post: { requestBody: { content: { 'application/json': { schema } } } } } } };
    });
    expect(breakingChanges(old!, now!)).toEqual(['POST /x wants .b']);
    expect(breakingChanges(now!, old!)).toEqual([]);
  });
});
