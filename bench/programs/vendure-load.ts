import { httpRequest, RawConnection } from './raw-requests.ts';
import { monotonicMs, serveParent } from './serve-parent.ts';

export interface VendureLoad {
  port: number;
  atOnce: number;
  players: number;
  ms: number;
  /** Else an order is only begun: one item in it. */
  isWhole: boolean;
}

export interface VendureLoadResult {
  orders: number;
  seconds: number;
}

const ADD = `mutation { addItemToOrder(productVariantId: "1", quantity: 1) {
  __typename ... on Order { id } ... on ErrorResult { message } } }`;
/** All steps to the payment in one request, which GraphQL runs one after the other: as few trips as its API allows. */
const payOf = (player: number, shippingMethodId: string): string => `mutation {
  customer: setCustomerForOrder(input: { firstName: "P", lastName: "${player}", emailAddress: "p${player}@example.com" }) {
    __typename ... on ErrorResult { message } }
  address: setOrderShippingAddress(input: { streetLine1: "Street 1", city: "Berlin", postalCode: "10115", countryCode: "DE" }) {
    __typename ... on ErrorResult { message } }
  shipping: setOrderShippingMethod(shippingMethodId: ["${shippingMethodId}"]) { __typename ... on ErrorResult { message } }
  ready: transitionOrderToState(state: "ArrangingPayment") { __typename ... on ErrorResult { message } }
  paid: addPaymentToOrder(input: { method: "standard-payment", metadata: {} }) {
    __typename ... on Order { state } ... on ErrorResult { message } } }`;

const TOKEN = /\r\nvendure-auth-token: (\S+)/i;

/** One customer's way through the shop, in a session of its own as each visitor has. */
class Visit {
  readonly #connection: RawConnection;
  readonly #host: string;
  #token: string | null = null;

  constructor(connection: RawConnection, port: number) {
    this.#connection = connection;
    this.#host = `127.0.0.1:${port}`;
  }

  async ask(query: string): Promise<Record<string, never>> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (this.#token) headers.authorization = `Bearer ${this.#token}`;
    const body = JSON.stringify({ query });
    const answer = await this.#connection.send(httpRequest('POST', '/shop-api', this.#host, headers, body));
    this.#token ??= TOKEN.exec(answer.headers)?.[1] ?? null;
    const { data, errors } = JSON.parse(answer.body) as { data: Record<string, never>; errors?: unknown };
    if (errors || answer.body.includes('"message"')) throw new Error(`${answer.status}: ${answer.body.slice(0, 500)}`);
    return data;
  }
}

/** Any order shows how it can be sent: the shop has one way. */
async function findShippingMethod(port: number): Promise<string> {
  const connection = await RawConnection.open(port);
  const visit = new Visit(connection, port);
  await visit.ask(ADD);
  const { eligibleShippingMethods } = (await visit.ask('{ eligibleShippingMethods { id } }')) as unknown as {
    eligibleShippingMethods: [{ id: string }];
  };
  connection.close();
  return eligibleShippingMethods[0].id;
}

async function run({ port, atOnce, players, ms, isWhole }: VendureLoad): Promise<VendureLoadResult> {
  const shippingMethodId = await findShippingMethod(port);
  const connections = await Promise.all(Array.from({ length: atOnce }, () => RawConnection.open(port)));
  let orders = 0;
  const startedAt = monotonicMs();
  const drive = async (connection: RawConnection): Promise<void> => {
    while (monotonicMs() < startedAt + ms) {
      const visit = new Visit(connection, port);
      await visit.ask(ADD);
      if (isWhole) {
        const done = await visit.ask(payOf(Math.floor(Math.random() * players), shippingMethodId));
        const { state } = done.paid as unknown as { state: string };
        if (state !== 'PaymentSettled') throw new Error(`the order is ${state}`);
      }
      orders++;
    }
  };
  await Promise.all(connections.map(drive)).finally(() => {
    for (const connection of connections) connection.close();
  });
  return { orders, seconds: (monotonicMs() - startedAt) / 1000 };
}

serveParent(run);
