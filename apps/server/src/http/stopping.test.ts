import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createLogger } from './log.ts';
import { closePort } from './port.ts';
import { buildServer } from './server.ts';

const publicUrl = 'https://pay.example.com';
const nothing = (): void => {};

describe('stopping', () => {
  it('begins by asking callers to open their next connection elsewhere, while all of them are served', async () => {
    const server = buildServer({ publicUrl, logger: createLogger('silent'), isStopping: () => true });
    server.get('/fast', async () => ({}));
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`${url}/fast`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await server.close();
  });

  it('what was under way when it began says in its answer that it is the last on its connection', async () => {
    let isStopping = false;
    const server = buildServer({ publicUrl, logger: createLogger('silent'), isStopping: () => isStopping });
    server.get('/slow', async () => {
      isStopping = true;
      return {};
    });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`${url}/slow`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await server.close();
  });

  it('once the port is closed, connections that a proxy kept open or has just opened are still served, each once', async () => {
    const server = buildServer({
      publicUrl,
      logger: createLogger('silent'),
      isStopping: () => !server.server.listening,
    });
    server.get('/fast', async () => ({ done: true }));
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const request = 'GET /fast HTTP/1.1\r\nHost: x\r\n\r\n';
    const open = () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
        .on('error', nothing)
        .setEncoding('utf8');
      const one = { socket, answers: '' };
      socket.on('data', chunk => (one.answers += chunk));
      return one;
    };
    const [kept, opened] = [open(), open()];
    kept.socket.write(request);
    await expect.poll(() => kept.answers).toContain('"done":true');
    const countOpen = (): Promise<number> =>
      new Promise(resolve => void server.server.getConnections((_error, count) => resolve(count)));
    await expect.poll(countOpen).toBe(2);
    let isOver = false;
    const lingered = closePort(server, 3_000).then(() => (isOver = true));
    await expect.poll(() => server.server.listening).toBe(false);
    await expect(fetch(`${url}/fast`)).rejects.toThrow();
    for (const { socket } of [kept, opened]) socket.write(request);
    const last = /connection: close[\s\S]*"done":true/i;
    await expect.poll(() => last.test(kept.answers) && last.test(opened.answers)).toBe(true);
    expect(isOver).toBe(false);
    await server.close();
    await lingered;
  });

  it('is not held up by a caller that keeps the connection of its last answer open', async () => {
    const server = buildServer({ publicUrl, logger: createLogger('silent'), keepAliveTimeoutMs: 600_000 });
    let release = nothing;
    const entered = new Promise<void>(underWay => {
      server.get('/slow', async () => {
        underWay();
        await new Promise<void>(resolve => {
          release = resolve;
        });
        return {};
      });
    });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.resume().write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await entered;
    const closed = server.close();
    await expect.poll(() => server.server.listening).toBe(false);
    release();
    await closed;
    socket.destroy();
  });

  it('is not held up by connections on which nothing, or only a part of a request, was ever said (row 116)', async () => {
    const server = buildServer({ publicUrl, logger: createLogger('silent'), requestTimeoutMs: 300 });
    await server.listen({ port: 0, host: '127.0.0.1' });
    const address = server.server.address() as AddressInfo;
    const sockets = ['', 'GET /slow HTTP/1.1\r\nHo'].map(text => {
      const socket = connect(address.port, '127.0.0.1').on('error', nothing);
      if (text) socket.write(text);
      return socket;
    });
    const countOpen = (): Promise<number> =>
      new Promise(resolve => void server.server.getConnections((_error, count) => resolve(count)));
    await expect.poll(countOpen).toBe(2);
    await server.close();
    for (const socket of sockets) socket.destroy();
  });

  it('a request under way is answered, what comes on its connection is the last, and a new one is not taken', async () => {
    const server = buildServer({ publicUrl, logger: createLogger('silent') });
    let release = nothing;
    let entered = nothing;
    const underWay = new Promise<void>(resolve => {
      entered = resolve;
    });
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    server.get('/slow', async () => {
      entered();
      await released;
      return { done: true };
    });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answers = '';
    socket.setEncoding('utf8').on('data', chunk => {
      answers += chunk;
    });
    // From Node 24 on, what was sent behind the last answer is thrown back.
    const ended = new Promise(resolve => socket.on('error', nothing).once('close', resolve));
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await underWay;
    const closed = server.close();
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    release();
    await ended;
    expect(answers).toMatch(/^HTTP\/1\.1 200 [\s\S]*{"done":true}/);
    // Either the server closed right after the answer, or the second one is served and says that it is the last.
    const second = answers.indexOf('HTTP/1.1', 8);
    if (second > 0)
      expect(answers.slice(second)).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*{"done":true}/i);
    await closed;
    await expect(fetch(`${url}/slow`)).rejects.toThrow();
  });
});
