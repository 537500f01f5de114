/** The Postman collection, run from top to bottom against the program as Postman would. */
import { createContext, runInContext } from 'node:vm';
import { ENDPOINTS, exampleBody } from '@coinslot/contract';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postmanCollection } from './postman.ts';

interface Script {
  listen: 'prerequest' | 'test';
  script: { exec: string[] };
}

interface Item {
  name: string;
  event: Script[];
  request: {
    method: string;
    header: { key: string; value: string; disabled?: boolean }[];
    body?: { raw: string };
    url: { path: string[]; variable?: { key: string; value: string }[] };
  };
}

let program: TestProgram;
beforeAll(async () => {
  program = await startProgram();
});
afterAll(() => program.close());

interface Sent {
  url: string;
  method: string;
  header: Record<string, string>;
  body?: { raw: string };
}

async function send({ url, method, header, body }: Sent) {
  const response = await fetch(url, { method, headers: header, ...(body && { body: body.raw }) });
  const text = await response.text();
  return { status: response.status, json: () => JSON.parse(text) as unknown };
}

/** The part of Postman's own object that the scripts of the collection use. */
function createPostman(variables: Map<string, string>) {
  const own = new Map<string, string>();
  const replaceIn = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => own.get(name) ?? variables.get(name) ?? '');
  const waiting: Promise<unknown>[] = [];
  const pm = {
    collectionVariables: { set: (name: string, value: string) => void variables.set(name, value) },
    variables: { replaceIn, set: (name: string, value: string) => void own.set(name, value) },
    sendRequest: (sent: Sent, done: (error: null, response: unknown) => void) =>
      void waiting.push(send(sent).then(response => done(null, response))),
    test: (_name: string, check: () => void) => check(),
    response: {},
  };
  return { pm, replaceIn, settled: () => Promise.all(waiting), forgetOwn: () => own.clear() };
}

/** What a run must leave as it was: the catalog, the webhooks, the chaos switch and a player of the game. */
async function lookAround(): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${program.account.sandbox.s2sKey}` };
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`${program.url}/s2s/v1/${path}`, { headers })).json();
  return Promise.all(['items', 'webhooks', 'sandbox/chaos', 'players/player-1', 'orders?player_id=player-1'].map(read));
}

/** A sandbox in use, with what the examples of the reference name. */
async function ownedSandbox(): Promise<unknown[]> {
  const headers = {
    authorization: `Bearer ${program.account.sandbox.s2sKey}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify(exampleBody(ENDPOINTS.createOrder));
  expect((await fetch(`${program.url}/s2s/v1/orders`, { method: 'POST', headers, body })).status).toBe(201);
  return lookAround();
}

it('each request finds what it needs, answers as it should, and the sandbox is as it was', async () => {
  const before = await ownedSandbox();
  const collection = JSON.parse(postmanCollection()) as { variable: { key: string; value: string }[]; item: Item[] };
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  variables.set('base_url', program.url).set('s2s_key', program.account.sandbox.s2sKey);
  const { pm, replaceIn, settled, forgetOwn } = createPostman(variables);
  const context = createContext({ pm });
  for (const { name, event, request } of collection.item) {
    forgetOwn();
    const run = async (when: Script['listen']): Promise<void> => {
      for (const { listen, script } of event) if (listen === when) runInContext(script.exec.join('\n'), context);
      await settled();
    };
    await run('prerequest');
    const values = new Map((request.url.variable ?? []).map(({ key, value }) => [key, replaceIn(value)]));
    const path = request.url.path.map(part => (part.startsWith(':') ? values.get(part.slice(1)) : part)).join('/');
    const given = request.header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value]);
    const header = { ...Object.fromEntries(given), authorization: `Bearer ${variables.get('s2s_key')}` };
    const answer = await send({
      url: `${program.url}/${path}`,
      method: request.method,
      header,
      ...(request.body && { body: request.body }),
    });
    pm.response = {
      ...answer,
      to: { have: { status: (code: number) => expect([name, answer.status]).toEqual([name, code]) } },
    };
    await run('test');
  }
  expect(await lookAround()).toEqual(before);
});
