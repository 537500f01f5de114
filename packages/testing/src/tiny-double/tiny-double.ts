import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createFaults } from '../stripe-double/faults.ts';

interface TinyPayment {
  id: string;
  status: 'open' | 'authorized' | 'captured' | 'released' | 'declined';
  amount: number;
  currency: string;
  pay_url: string;
  mark: string;
  refund: { id: string; status: 'done' | 'failed' } | null;
  chargebacks: { id: string; amount: number }[];
  movements: string[];
}

interface TinyEntry {
  id: string;
  kind: 'payment' | 'refund';
  gross: number;
  fee: number;
  currency: string;
  payment: string;
}

/** A provider that exists in the guide alone: a hosted page, manual capture, and codes for what it refuses. */
export async function startTinyDouble() {
  const payments = new Map<string, TinyPayment>();
  const entries: TinyEntry[] = [];
  const faults = createFaults();
  const kept = new Map<string, [number, unknown]>();
  let count = 0;
  let url = '';

  const no = (status: number, code: string, param = 'request'): [number, unknown] => [
    status,
    { code, param, request_id: 'req_tiny' },
  ];
  const book = ({ id, currency }: TinyPayment, kind: TinyEntry['kind'], gross: number, fee: number): void =>
    void entries.push({ id: `ent_${++count}`, kind, gross, fee, currency, payment: id });

  function move(payment: TinyPayment, step: string): [number, unknown] {
    const { status, refund, amount } = payment;
    if (step === 'capture') {
      if (status !== 'authorized') return no(422, 'not_authorized');
      payment.status = 'captured';
      payment.movements.push('captured');
      book(payment, 'payment', amount, 25);
    } else if (step === 'release') {
      if (status !== 'authorized' && status !== 'open') return no(422, 'not_authorized');
      payment.status = 'released';
    } else {
      if (status !== 'captured' || refund?.status === 'done') return no(422, 'not_refundable');
      payment.refund = { id: `ref_${++count}`, status: 'done' };
      payment.movements.push('refunded');
      book(payment, 'refund', -amount, 0);
    }
    return [200, payment];
  }

  function decide(name: string, sent: string): [number, unknown] {
    if (name === 'POST /payments') {
      const { amount, currency, mark } = JSON.parse(sent) as Pick<TinyPayment, 'amount' | 'currency' | 'mark'>;
      const id = `tiny_${++count}`;
      const made = { id, amount, currency, mark, status: 'open', pay_url: `${url}/page/${id}` } as const;
      payments.set(id, { ...made, refund: null, chargebacks: [], movements: [] });
      return [200, payments.get(id)];
    }
    if (name === 'GET /entries') return [200, entries];
    const [, id = '', step] = /^\w+ \/payments\/(\w+)(?:\/(\w+))?$/.exec(name) ?? [];
    const payment = payments.get(id);
    if (!payment) return no(404, 'not_found');
    return step === undefined ? [200, payment] : move(payment, step);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = `${request.method} ${request.url}`;
    const sent = await text(request);
    const fault = faults.take(name, sent);
    if (fault?.kind === 'lose_request') return void request.socket.destroy();
    const key = request.headers['idempotency-key']?.toString();
    const known = key === undefined ? undefined : kept.get(key);
    const refused = fault?.kind === 'refuse' ? no(fault.status, fault.code ?? 'fault', fault.param) : null;
    const [status, body] = known ?? refused ?? decide(name, sent);
    if (key !== undefined) kept.set(key, [status, structuredClone(body)]);
    if (fault?.kind === 'lose_answer') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const paymentOf = (paymentId: string): TinyPayment => [...payments.values()].find(({ mark }) => mark === paymentId)!;
  return {
    url,
    faults,
    paymentOf,
    movementsOf: (paymentId: string): string[] => paymentOf(paymentId)?.movements ?? [],
    approve(paymentId: string, isDeclined: boolean): void {
      const payment = paymentOf(paymentId);
      payment.status = isDeclined ? 'declined' : 'authorized';
      if (!isDeclined) payment.movements.push('authorized');
    },
    close: (): Promise<unknown> => new Promise(resolve => server.close(resolve)),
  };
}
