import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import type { WebSocketServer } from 'ws';
import { inCompanyTurn } from '../../domain/game/company-turn.ts';
import { assertSandbox } from '../../domain/game/environment.ts';
import type { AuthenticatedKey } from '../../domain/game/keys/authenticate-key.ts';
import { LISTEN_LIMITS } from '../../domain/webhook/tunnel/listen-frames.ts';
import { openListener } from '../../domain/webhook/tunnel/open-listener.ts';
import { tooManyRequests } from '../../http/rate-limit.ts';
import { asksForWebSocket, isWebSocketHandshake, refuseUpgrade, treatAsRequest } from '../../http/upgrade.ts';
import { textCheck } from '../../http/validate.ts';
import { AppError } from '../../kit/app-error.ts';
import { createListenerConnections } from './listen-connections.ts';
import { admitKey, type S2sGate, type S2sMount, type S2sShop } from './s2s-shop.ts';
import { LIVE_KEY } from './sandbox.ts';

const readQuery = textCheck(contract.listen.query);

const SOCKETS = {
  noServer: true,
  maxPayload: LISTEN_LIMITS.frameBytes,
  perMessageDeflate: false,
  clientTracking: false,
} as const;

interface ListenRequest {
  mode: contract.ListenMode;
  events: contract.EventSelector[];
}

const isSelector = (text: string): text is contract.EventSelector =>
  (contract.EVENT_SELECTORS as readonly string[]).includes(text);

function readRequest(url: string): ListenRequest {
  const { searchParams } = new URL(url, 'http://localhost');
  const { values, issues } = readQuery(Object.fromEntries(searchParams));
  const mode: contract.ListenMode = values.mode === 'tail' ? 'tail' : 'forward';
  const given = typeof values.events === 'string' ? values.events.split(',').map(text => text.trim()) : null;
  const events = given ?? (mode === 'tail' ? ['*'] : ['item.add', 'item.remove']);
  // The first is enough: one address of 16 KB held thousands, and the answer that named them all had megabytes (row 282).
  const unknown = events.find(text => !isSelector(text));
  if (unknown !== undefined) {
    const message = `${JSON.stringify(unknown.slice(0, 60))} is not a kind of event. Kinds: ${contract.EVENT_SELECTORS.join(', ')}.`;
    issues.push({ pointer: '/events', code: 'enum', message });
  }
  if (issues.length > 0) throw new AppError('validation_failed', { issues });
  return { mode, events: [...new Set(events.filter(isSelector))] };
}

/** A handshake is a request like any other: of its key, and of its company. */
async function admit({ budgets }: S2sShop, gate: S2sGate, request: IncomingMessage): Promise<AuthenticatedKey> {
  const key = await admitKey(gate, request.headers.authorization, gate.addressOf(request));
  const allowance = gate.keyLimiter.take(key.keyId);
  if (!allowance.allowed) throw tooManyRequests(allowance);
  await budgets.take('requests', key.environment.companyId);
  return key;
}

/** Until its socket closes, however that comes. */
async function countStream({ budgets, streamCounts }: S2sShop, companyId: string, socket: Socket): Promise<void> {
  const leave = await streamCounts.open(companyId, budgets.limits.streams);
  if (socket.destroyed) leave();
  else socket.once('close', leave);
}

/** One outgoing connection of a developer's computer, through which the sandbox reaches it. */
export function mountListen(app: FastifyInstance, mount: S2sMount, shop: S2sShop, gate: S2sGate): void {
  let sockets: WebSocketServer | undefined;
  const connections = createListenerConnections(shop, gate);

  mount(contract.listen, async ({ context: { environment } }) => {
    assertSandbox(environment, LIVE_KEY);
    throw new AppError('upgrade_required', { headers: { upgrade: 'websocket' } });
  });

  async function open(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    if (connections.isClosing()) throw new AppError('unavailable', { detail: 'The server is stopping.' });
    const { environment } = await admit(shop, gate, request);
    assertSandbox(environment, LIVE_KEY);
    const { mode, events } = readRequest(request.url ?? '');
    if (!isWebSocketHandshake(request)) throw new AppError('upgrade_required');
    const { WebSocketServer: Sockets } = await import('ws');
    sockets ??= new Sockets(SOCKETS);
    await countStream(shop, environment.companyId, socket);
    const { id, companyId } = environment;
    const listener = await inCompanyTurn(companyId, () => openListener(shop, id, mode, events));
    sockets.handleUpgrade(request, socket, head, connection =>
      connections.begin(connection, { mode, environment, listener, authorization: request.headers.authorization }),
    );
  }

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!asksForWebSocket(request, contract.listen.path)) return treatAsRequest(app.server, request, socket, head);
    socket.on('error', () => socket.destroy());
    open(request, socket, head).catch((error: unknown) => refuseUpgrade(socket, error, shop.publicUrl));
  });
  app.addHook('preClose', () => connections.close());
}
