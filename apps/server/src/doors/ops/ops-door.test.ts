import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../../db/sql.ts';
import { randomToken } from '../../kit/seal.ts';
import { loadConfig } from '../../settings/config.ts';

let shop: TestProgram;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
});
afterAll(() => shop?.close());

const get = (path: string): Promise<Response> => fetch(shop.url + path);

describe('an operator', () => {
  it('sees that the process lives', async () => {
    const answer = await get('/healthz');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'ok' });
  });

  it('sees that money can be taken', async () => {
    const answer = await get('/readyz');
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready', problems: [] }]);
  });

  it('is told when the database answers but takes no writes (row 45)', async () => {
    const { db } = shop.database;
    await db.query(sql('t_function')`create function no_space() returns trigger language plpgsql as
      'begin raise exception using errcode = ''53100'', message = ''could not extend file''; end'`);
    await db.query(sql('t_trigger')`create trigger full_disk before insert or update on heartbeats
      for each row execute function no_space()`);
    const answer = await get('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(await answer.json()).toMatchObject({ problems: [expect.stringContaining('takes no writes')] });
    await db.query(sql('t_mend')`drop trigger full_disk on heartbeats`);
    expect((await get('/readyz')).status).toBe(200);
  });

  it('is told when the schema is not the one that this program needs', async () => {
    const { db } = shop.database;
    const problems = async () => ((await (await get('/readyz')).json()) as { problems: string[] }).problems;
    await db.query(sql('t_newer')`insert into migrations (number, name, hash, oldest_program)
      values (9999, '9999_far-ahead.sql', 'x', 9999)`);
    expect(await problems()).toEqual([expect.stringContaining('9999_far-ahead.sql, which this version does not know')]);
    await db.query(sql('t_additive')`update migrations set oldest_program = 1 where number = 9999`);
    expect(await problems()).toEqual([]);
    await db.query(sql('t_taken')`update migrations set number = 9998 where number = 1`);
    expect(await problems()).toEqual([expect.stringContaining('the schema lacks migration 0001_schema.sql')]);
    await db.query(sql('t_back')`update migrations set number = 1 where number = 9998`);
    expect((await get('/readyz')).status).toBe(200);
  });

  it('is told when this host’s clock would make every signature look old (row 31)', async () => {
    const off = await startProgram({
      workers: false,
      replace: parts => ({ ...parts, clock: { ...parts.clock, skewMs: () => -3_000 } }),
    });
    const answer = await fetch(`${off.url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'not_ready', problems: ["the clock of this host is -3 s off the database's"] },
    ]);
    await off.close();
  });

  it('reads metrics, and a developer the API description', async () => {
    expect(await (await get('/metrics')).text()).toContain('process_cpu_seconds_total');
    expect(await (await get('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
  });

  it('reads metrics that are made once in a second, however many read them (row 112)', async () => {
    const { registry } = shop.program.parts.metrics;
    const make = vi.spyOn(registry, 'metrics');
    const answers = await Promise.all(Array.from({ length: 50 }, () => get('/metrics')));
    const texts = new Set(await Promise.all(answers.map(answer => answer.text())));
    expect(make.mock.calls.length).toBeLessThanOrEqual(2);
    expect(texts.size).toBeLessThanOrEqual(2);
    expect(Math.max(...[...texts].map(text => text.length))).toBeLessThan(150_000);
    make.mockRestore();
  });

  it('finds no metrics on the public port in production, unless the operator wants them there', () => {
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://pay.example.com', MASTER_KEY: randomToken(32) };
    expect(loadConfig(production).hasPublicMetrics).toBe(false);
    expect(loadConfig({ ...production, METRICS_PUBLIC: 'on' }).hasPublicMetrics).toBe(true);
  });

  it('is told not to send more while the program is about to stop, and what comes anyway is served', async () => {
    const leaving = await startProgram({ workers: false });
    leaving.program.retire();
    const ready = await fetch(`${leaving.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not_ready', problems: ['the server is stopping'] },
    ]);
    expect((await fetch(`${leaving.url}/healthz`)).status).toBe(200);
    expect((await leaving.createOrder()).order_id).toMatch(/^ord_/);
    await leaving.close();
  });

  it('can have metrics and health on a port of their own, away from the world', async () => {
    const apart = await startProgram({ workers: false, env: { OPS_PORT: '0' } });
    const ops = await apart.program.opsApp!.listen({ port: 0, host: '127.0.0.1' });
    expect((await fetch(`${apart.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${apart.url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${ops}/metrics`)).text()).toContain('coinslot_build_info');
    expect((await fetch(`${ops}/readyz`)).status).toBe(200);
    expect((await fetch(`${ops}/s2s/v1/orders`)).status).toBe(404);
    await apart.close();
  });
});
