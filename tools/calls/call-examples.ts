import type { Endpoint } from '@coinslot/contract';
import { exampleCommand } from '../example-call.ts';
import { type CallName, type ExampleCall, exampleOf, PATH_VALUES, targetOf } from './call-values.ts';
import { GO, JAVASCRIPT, literal, PYTHON } from './literal.ts';

/** How each call is made with our packages: `{order_id}` and the like, `{body}` and `{query}` are filled in. */
interface Ways {
  node: string;
  /** Without one the general `request` is shown. */
  python?: string;
  go?: string;
}

const WAYS: Readonly<Record<Exclude<CallName, 'listen'>, Ways>> = {
  create_order: {
    node: 'orders.create({body})',
    python: 'create_order({body})',
    go: 'CreateOrder(context.Background(), {body}, "")',
  },
  get_order: {
    node: 'orders.get({order_id})',
    python: 'get_order({order_id})',
    go: 'GetOrder(context.Background(), {order_id})',
  },
  list_orders: { node: 'orders.list({query}).page()', python: 'list_orders({query})' },
  cancel_order: {
    node: 'orders.cancel({order_id})',
    python: 'cancel_order({order_id})',
    go: 'CancelOrder(context.Background(), {order_id})',
  },
  refund_order: {
    node: 'orders.refund({order_id}, {body})',
    python: 'refund_order({order_id}, {reason})',
    go: 'RefundOrder(context.Background(), {order_id}, {reason})',
  },
  list_payments: { node: 'payments.list({query}).page()' },
  get_payment: { node: 'payments.get({payment_id})' },
  get_item: { node: 'items.get({sku})' },
  put_item: { node: 'items.put({sku}, {body})' },
  delete_item: { node: 'items.delete({sku})' },
  list_items: { node: 'items.list({query}).page()' },
  get_player: { node: 'players.get({player_id})' },
  export_player: { node: 'players.export({player_id})' },
  erase_player: { node: 'players.erase({player_id})' },
  create_webhook: { node: 'webhooks.create({body})', python: 'create_webhook({body})' },
  list_webhooks: { node: 'webhooks.list({query}).page()' },
  get_webhook: { node: 'webhooks.get({webhook_id})' },
  patch_webhook: { node: 'webhooks.update({webhook_id}, {body})' },
  delete_webhook: { node: 'webhooks.delete({webhook_id})' },
  rotate_webhook_secret: { node: 'webhooks.rotateSecret({webhook_id})' },
  test_webhook: { node: 'webhooks.test({webhook_id})' },
  replay_webhook: { node: 'webhooks.replay({webhook_id}, {body})' },
  list_deliveries: { node: 'deliveries.list({webhook_id}, {query}).page()' },
  list_all_deliveries: { node: 'deliveries.listAll({query}).page()' },
  get_delivery: { node: 'deliveries.get({delivery_id})' },
  retry_delivery: { node: 'deliveries.retry({delivery_id})' },
  pay_order: { node: 'sandbox.pay({order_id}, {body})', python: 'pay({order_id}, {card})' },
  advance_order: { node: 'sandbox.advance({order_id}, {body})', python: 'advance({order_id}, {seconds})' },
  get_chaos: { node: 'sandbox.chaos()' },
  set_chaos: { node: 'sandbox.setChaos({body})' },
  list_events: { node: 'events.list({query}).page()', python: 'list_events({query})' },
  list_requests: { node: 'requests.list({query}).page()' },
  trigger_event: { node: 'sandbox.trigger({body})' },
};

const SERVER = 'http://localhost:4242';

type Words = (name: string) => string;

const fill = (way: string, words: Words): string => way.replace(/\{(\w+)\}/g, (_, name: string) => words(name));

const hasAnswer = ({ response }: Endpoint): boolean => response.schema !== undefined;

function nodeExample({ call, query, body }: ExampleCall, { node }: Ways): string {
  const words: Words = name => {
    if (name === 'body') return literal(body, JAVASCRIPT);
    return literal(name === 'query' ? query : PATH_VALUES[name], JAVASCRIPT);
  };
  const made = `await coinslot.${fill(node, words)};`;
  return [
    "import { createCoinslot } from '@coinslot/sdk';",
    '',
    `const coinslot = createCoinslot({ key: process.env.S2S_KEY, baseUrl: '${SERVER}' });`,
    '',
    ...(hasAnswer(call) ? [`const answer = ${made}`, 'console.log(answer);'] : [made]),
  ].join('\n');
}

function pythonExample(example: ExampleCall, { python }: Ways): string {
  const { call, query, body } = example;
  const words: Words = name => {
    if (name === 'body') return literal(body, PYTHON);
    if (name === 'query')
      return Object.entries(query)
        .map(([field, value]) => `${field}=${literal(value, PYTHON)}`)
        .join(', ');
    return literal(PATH_VALUES[name] ?? (body as Record<string, unknown>)[name], PYTHON);
  };
  const sent = body ? `, ${literal(body, PYTHON)}` : '';
  const filtered = Object.keys(query).length > 0 ? `, query=${literal(query, PYTHON)}` : '';
  const way = python ? fill(python, words) : `request("${call.method}", "${example.path}"${sent}${filtered})`;
  const isRead = python?.includes('{query}');
  const made = isRead
    ? [`for entry in client.${way}:`, '    print(entry)']
    : hasAnswer(call)
      ? [`answer = client.${way}`, 'print(answer)']
      : [`client.${way}`];
  return ['import os', '', 'from coinslot import Client', '', `client = Client(os.environ["S2S_KEY"], "${SERVER}")`]
    .concat('', made)
    .join('\n');
}

const CHECKED = ['\tif err != nil {', '\t\tlog.Fatal(err)', '\t}'];

function goCall(example: ExampleCall, { go }: Ways): string[] {
  const { call, body } = example;
  const words: Words = name =>
    name === 'body' ? literal(body, GO, 1) : literal(PATH_VALUES[name] ?? (body as Record<string, unknown>)[name], GO);
  if (go) return [`\torder, err := client.${fill(go, words)}`, ...CHECKED, '\tfmt.Println(string(order.Raw))'];
  const rows: [string, string][] = [
    ['Method:', `"${call.method}"`],
    ['Path:', `"${targetOf(example)}"`],
  ];
  if (body) rows.push(['Body:', literal(body, GO, 2)]);
  // As gofmt lays it out: a value of several lines stands apart from the column.
  const fields = rows.map(([name, value]) => `\t\t${value.includes('\n') ? name : name.padEnd(7)} ${value},`);
  return [
    ...(hasAnswer(call) ? ['\tvar answer json.RawMessage'] : []),
    '\terr = client.Do(context.Background(), coinslot.Call{',
    ...fields,
    `\t}, ${hasAnswer(call) ? '&answer' : 'nil'})`,
    ...CHECKED,
    ...(hasAnswer(call) ? ['\tfmt.Println(string(answer))'] : []),
  ];
}

function goExample(example: ExampleCall, ways: Ways): string {
  const made = goCall(example, ways);
  const uses = (name: string): boolean => made.some(line => line.includes(`${name}.`));
  const imports = ['context', 'encoding/json', 'fmt', 'log', 'os'].filter(
    name => name === 'log' || name === 'os' || uses(name.slice(name.lastIndexOf('/') + 1)),
  );
  return [
    'package main',
    '',
    'import (',
    ...imports.map(name => `\t"${name}"`),
    '',
    '\t"coinslot"',
    ')',
    '',
    'func main() {',
    `\tclient, err := coinslot.NewClient(os.Getenv("S2S_KEY"), "${SERVER}")`,
    ...CHECKED,
    ...made,
    '}',
  ].join('\n');
}

const methodIn = (method: string): string => `HttpMethod.${method[0]}${method.slice(1).toLowerCase()}`;

function csharpExample(example: ExampleCall): string {
  const { call, body } = example;
  const sent = `new HttpRequestMessage(${methodIn(call.method)}, "${targetOf(example)}")`;
  const text = body ? ['', 'var body = """', ...JSON.stringify(body, null, 2).split('\n'), '""";'] : [''];
  const content = '{ Content = new StringContent(body, Encoding.UTF8, "application/json") }';
  return [
    'using System.Net.Http.Headers;',
    ...(body ? ['using System.Text;'] : []),
    '',
    `using var http = new HttpClient { BaseAddress = new Uri("${SERVER}") };`,
    'var key = Environment.GetEnvironmentVariable("S2S_KEY");',
    'http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);',
    ...text,
    ...(body ? [`using var request = ${sent}`, `    ${content};`] : [`using var request = ${sent};`]),
    'using var response = await http.SendAsync(request);',
    'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");',
  ].join('\n');
}

export const EXAMPLE_LANGUAGES = ['curl', 'Node', 'Python', 'Go', 'C#'] as const;
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number];

/** The call in every language, each a whole program; null for the WebSocket, which none of these speaks by itself. */
export function callExamples(call: Endpoint): Record<ExampleLanguage, string> | null {
  if (call.name === 'listen') return null;
  const ways = WAYS[call.name as keyof typeof WAYS];
  const example = exampleOf(call);
  return {
    curl: exampleCommand(call, targetOf(example)),
    Node: nodeExample(example, ways),
    Python: pythonExample(example, ways),
    Go: goExample(example, ways),
    'C#': csharpExample(example),
  };
}
