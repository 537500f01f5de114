import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';

let shop: TestProgram;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
});
afterAll(() => shop?.close());

it('everything that is counted can be handed to the process that adds up', async () => {
  await fetch(`${shop.url}/readyz`);
  const counted = await shop.program.parts.metrics.registry.getMetricsAsJSON();
  const requests = counted.find(({ name }) => name === 'coinslot_http_request_duration_seconds') as unknown as {
    values: { metricName: string; labels: Record<string, string>; value: number }[];
  };
  const looks = requests.values.filter(
    ({ metricName, labels }) => metricName.endsWith('_count') && labels.route === '/readyz',
  );
  expect(looks).toMatchObject([{ labels: { method: 'GET', status: '2xx' }, value: 1 }]);
});
