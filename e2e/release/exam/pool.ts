/** Receivers with exactly one mistake each, made out of the example in Node, and receivers that differ and are right. */
import { readFileSync } from 'node:fs';

const SOURCE = readFileSync(new URL('../../../examples/receivers/node/receiver.mjs', import.meta.url), 'utf8');

type Change = readonly [from: string, to: string];

export interface PoolReceiver {
  name: string;
  /** The one case that must catch it. Null: it is right and must pass. */
  caughtBy: string | null;
  changes: readonly Change[];
}

/** The inventory can be read, so that nothing depends on what is printed. */
const INVENTORY: Change = [
  'async function respond(request, response) {\n',
  `async function respond(request, response) {
  if (request.method === 'GET') {
    const held = inventory.get(decodeURIComponent(request.url.split('/').at(-1))) ?? new Map();
    return response.end(JSON.stringify(Object.fromEntries(held)));
  }
`,
];

/** Handling may take time: one after the other for each key, so that only the named mistake remains. */
const ASYNC: readonly Change[] = [
  ['function answer(headers, raw) {', 'async function answer(headers, raw) {'],
  [': answer(request.headers, raw);', ': await answer(request.headers, raw, response);'],
];
const SERIAL: readonly Change[] = [
  [
    'async function answer(headers, raw) {',
    'const turns = new Map();\nasync function answer(headers, raw, response) {',
  ],
  [
    '  return handleOnce(event, raw);',
    `  const turn = (turns.get(event.idempotency_key) ?? Promise.resolve()).then(() => handleOnce(event, raw, response));
  turns.set(event.idempotency_key, turn.catch(() => {}));
  return turn;`,
  ],
];
const PAUSE = 'await new Promise(resolve => setTimeout(resolve, 400));';
const ONCE = `  if (!answered.has(key)) {
    appendFileSync(JOURNAL, \`\${raw.toString('base64')}\\n\`);
    answered.set(key, handle(event, console.log));
  }`;
const HANDLE_ONCE: Change = ['function handleOnce(event, raw) {', 'async function handleOnce(event, raw, response) {'];
const COMPARE = '    return given.length === expected.length && timingSafeEqual(given, expected);';
const OLD = '  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;\n';
const START = "const timestamp = headers['x-service-signature-timestamp'] ?? '';\n";
const KINDS =
  "  if (event?.event_type !== 'item.add' && event?.event_type !== 'item.remove') return [400, { error: 'event_type' }];\n";
const REFUSE = "if (!isSigned(headers, raw)) return [403, { error: 'signature' }];";
const CHANGE = "const change = event_type === 'item.add' ? quantity : -quantity;";
const COUNTS =
  "  const counts = event_type === 'item.add' ? last !== 'item.remove' : last === 'item.add' || grant === 'confirmed';\n";
const PARSE =
  "  try {\n    event = JSON.parse(raw.toString('utf8'));\n  } catch {\n    return [400, { error: 'not JSON' }];\n  }\n";
const HMAC = "createHmac('sha256', SECRET).update(`${timestamp}.`).update(raw)";

const bad = (caughtBy: string, name: string, ...changes: Change[]): PoolReceiver => ({ name, caughtBy, changes });
const good = (name: string, ...changes: Change[]): PoolReceiver => ({ name, caughtBy: null, changes });

const SIGNATURE_MISTAKES: readonly PoolReceiver[] = [
  bad('right', 'reads another header', ["['x-service-signature', 'x-service-signature-previous']", "['x-signature']"]),
  bad('wrong_signature', 'compares only lengths', [COMPARE, '    return given.length === expected.length;']),
  bad('missing_signature', 'believes what has no signature', [
    START,
    `${START}  if (headers['x-service-signature'] === undefined) return true;\n`,
  ]),
  bad('missing_timestamp', 'believes what has no timestamp', [
    START,
    `${START}  if (headers['x-service-signature-timestamp'] === undefined) return true;\n`,
  ]),
  bad('truncated_signature', 'compares up to the shorter end', [
    COMPARE,
    '    return given.length > 0 && expected.subarray(0, given.length).equals(given);',
  ]),
  bad('old', 'refuses only the future', [OLD, '  if (Number(timestamp) - Date.now() / 1000 > 300) return false;\n']),
  bad('future', 'refuses only the past', [OLD, '  if (Date.now() / 1000 - Number(timestamp) > 300) return false;\n']),
  bad('altered_body', 'signs the event with the quantities that it expects', [
    HMAC,
    "createHmac('sha256', SECRET).update(`${timestamp}.`).update(raw.toString('utf8').replace(/\"quantity\":9/, '\"quantity\":1'))",
  ]),
  bad('rotated_secret', 'knows no previous signature', [
    "['x-service-signature', 'x-service-signature-previous']",
    "['x-service-signature']",
  ]),
  bad('rotated_secret', 'believes every previous signature', [
    COMPARE,
    `    if (name.endsWith('previous') && given.length === expected.length) return headers['x-service-signature'] !== headers[name];\n${COMPARE}`,
  ]),
  bad('weak_secret', 'also believes an empty secret', [
    COMPARE,
    `    const empty = createHmac('sha256', '').update(\`\${timestamp}.\`).update(raw).digest('hex');
    if (given.toString() === empty) return true;\n${COMPARE}`,
  ]),
  bad('weak_secret', 'also believes a second secret', [
    COMPARE,
    `    const second = createHmac('sha256', 'secret').update(\`\${timestamp}.\`).update(raw).digest('hex');
    if (given.toString() === second) return true;\n${COMPARE}`,
  ]),
  bad('weak_secret', 'starts without a secret', ['if (!SECRET ||', 'if (SECRET && ']),
  bad('no_decline', 'declines a wrong signature', [
    REFUSE,
    REFUSE.replace('403', '422').replace("error: 'signature'", "code: 'declined'"),
  ]),
  bad('no_decline', 'declines an unknown kind', [
    KINDS,
    KINDS.replace('400', '422').replace("error: 'event_type'", "code: 'declined'"),
  ]),
];

const DUPLICATE_MISTAKES: readonly PoolReceiver[] = [
  bad('twice', 'keeps no keys', ['if (!answered.has(key)) {', 'if (key) {']),
  bad('twice_at_once', 'looks for the key, and writes it later', ...ASYNC, HANDLE_ONCE, [
    'if (!answered.has(key)) {\n',
    'if (!answered.has(key)) {\n    await new Promise(resolve => setTimeout(resolve, 50));\n',
  ]),
  bad('answer_lost', 'keeps the key only if its answer was taken', ...ASYNC, ...SERIAL, HANDLE_ONCE, [
    ONCE,
    `  if (answered.has(key)) return answered.get(key);
  appendFileSync(JOURNAL, \`\${raw.toString('base64')}\\n\`);
  const result = handle(event, console.log);
  ${PAUSE}
  if (!response.destroyed) answered.set(key, result);
  return result;`,
  ]),
  bad('crash', 'keeps items and keys in memory', ["appendFileSync(JOURNAL, `${raw.toString('base64')}\\n`);", '']),
  bad('crash', 'keeps only the keys in memory', [
    '    answered.set(event.idempotency_key, handle(event, silent));',
    '    handle(event, silent);',
  ]),
  bad(
    'crash_between',
    'saves the grant, and later the key',
    ...ASYNC,
    ...SERIAL,
    HANDLE_ONCE,
    [
      ONCE,
      `  if (!answered.has(key)) {
    appendFileSync(JOURNAL, \`\${raw.toString('base64')}\\n\`);
    const result = handle(event, console.log);
    ${PAUSE}
    appendFileSync(JOURNAL, \`\${Buffer.from(JSON.stringify({ key })).toString('base64')}\\n\`);
    answered.set(key, result);
  }`,
    ],
    [
      '    answered.set(event.idempotency_key, handle(event, silent));',
      "    if (event.key) answered.set(event.key, [200, { status: 'ok' }]);\n    else handle(event, silent);",
    ],
  ),
  bad(
    'crash_between',
    'saves the key, and later the grant',
    ...ASYNC,
    ...SERIAL,
    HANDLE_ONCE,
    [
      ONCE,
      `  if (!answered.has(key)) {
    appendFileSync(JOURNAL, \`\${Buffer.from(JSON.stringify({ key })).toString('base64')}\\n\`);
    ${PAUSE}
    appendFileSync(JOURNAL, \`\${raw.toString('base64')}\\n\`);
    answered.set(key, handle(event, console.log));
  }`,
    ],
    [
      '    answered.set(event.idempotency_key, handle(event, silent));',
      "    if (event.key) answered.set(event.key, [200, { status: 'ok' }]);\n    else handle(event, silent);",
    ],
  ),
  bad('commit_before_answer', 'answers, and grants later', [
    '  return handleOnce(event, raw);',
    "  setTimeout(() => handleOnce(event, raw), 300);\n  return [200, { status: 'ok' }];",
  ]),
];

const ITEM_MISTAKES: readonly PoolReceiver[] = [
  bad(
    'shared_order',
    'takes the order for the key',
    ['const key = event.idempotency_key;', 'const key = event.event_data.order_id;'],
    ['answered.set(event.idempotency_key,', 'answered.set(event.event_data.order_id,'],
  ),
  bad('add_then_remove', 'ignores refunds', [
    CHANGE,
    "if (event_type === 'item.remove') continue;\n    const change = quantity;",
  ]),
  bad('add_then_remove', 'grants what is refunded once more', [CHANGE, 'const change = quantity;']),
  bad('quantity', 'ignores the quantity', [CHANGE, "const change = event_type === 'item.add' ? 1 : -1;"]),
  bad('quantity', 'revokes one of many', [CHANGE, "const change = event_type === 'item.add' ? quantity : -1;"]),
  bad('remove_ungranted', 'revokes what never arrived', [COUNTS, '  const counts = true;\n']),
  bad('remove_before_answer', 'forgets a purchase whose answer was lost', ...ASYNC, ...SERIAL, HANDLE_ONCE, [
    ONCE,
    `  if (!answered.has(key)) {
    appendFileSync(JOURNAL, \`\${raw.toString('base64')}\\n\`);
    answered.set(key, handle(event, console.log));
    if (event.event_type === 'item.add') {
      orders.delete(event.event_data.order_id);
      ${PAUSE}
      if (!response.destroyed) orders.set(event.event_data.order_id, 'item.add');
    }
  }`,
  ]),
];

const BODY_MISTAKES: readonly PoolReceiver[] = [
  bad('unknown_kind', 'fails on an unknown kind', [
    KINDS,
    KINDS.replace('400', "typeof event?.event_type === 'string' ? 500 : 400"),
  ]),
  bad('unknown_kind', 'grants whatever comes', [
    KINDS,
    "  if (typeof event?.event_type !== 'string') return [400, {}];\n  if (event.event_type !== 'item.remove') event.event_type = 'item.add';\n",
  ]),
  bad('not_an_event', 'fails on what is not JSON', [PARSE, "  event = JSON.parse(raw.toString('utf8'));\n"]),
  bad('not_an_event', 'dies of what is not JSON', [
    PARSE,
    PARSE.replace("return [400, { error: 'not JSON' }];", 'process.exit(3);'),
  ]),
  bad('unicode', 'signs Latin-1', [HMAC, HMAC.replace('update(raw)', "update(raw.toString('latin1'))")]),
  bad('unicode', 'signs the JSON that it wrote again', [
    HMAC,
    HMAC.replace('update(raw)', 'update(/^\\{"event_id/.test(raw) ? JSON.stringify(JSON.parse(raw)) : raw)'),
  ]),
  bad('large_body', 'reads 100 KB', ['const MAX_BODY_BYTES = 1024 * 1024;', 'const MAX_BODY_BYTES = 100 * 1024;']),
  bad('unknown_fields', 'takes no unknown field', [
    '  return handleOnce(event, raw);',
    "  if ('trace' in event) return [400, { error: 'an unknown field' }];\n  return handleOnce(event, raw);",
  ]),
  bad('test_event', 'knows no test', [
    "  if (event?.event_type === 'webhook.test') return [200, { status: 'ok' }];\n",
    '',
  ]),
];

const LOAD_MISTAKES: readonly PoolReceiver[] = [
  bad('in_time', 'takes eleven seconds', [
    '  const raw = await readRaw(request);\n',
    '  const raw = await readRaw(request);\n  if (raw.length > 0) await new Promise(resolve => setTimeout(resolve, 11_000));\n',
  ]),
  bad('slow_client', 'reads one chunk', [
    '    chunks.push(chunk);\n',
    "    chunks.push(chunk);\n    if (Number(request.headers['content-length']) < 65_536) break;\n",
  ]),
  bad(
    'forty_at_once',
    'grants one after the other, slowly',
    ...ASYNC,
    ['async function answer(headers, raw) {', 'let queue = Promise.resolve();\nasync function answer(headers, raw) {'],
    [
      '  return handleOnce(event, raw);',
      `  const turn = queue.then(() => new Promise(resolve => setTimeout(resolve, 280))).then(() => handleOnce(event, raw));
  queue = turn.catch(() => {});
  return turn;`,
    ],
  ),
];

const RIGHT: readonly PoolReceiver[] = [
  good('the example itself'),
  good(
    'takes order and kind for the key',
    ['const key = event.idempotency_key;', 'const key = event.event_data.order_id + event.event_type;'],
    ['answered.set(event.idempotency_key,', 'answered.set(event.event_data.order_id + event.event_type,'],
  ),
  good(
    'answers 204, and 401 to a wrong signature',
    [
      "  return [200, { status: 'ok' }];\n}\n\nfunction handleOnce",
      '  return [204, undefined];\n}\n\nfunction handleOnce',
    ],
    [REFUSE, REFUSE.replace('403', '401')],
    ['.end(JSON.stringify(body))', ".end(body ? JSON.stringify(body) : '')"],
  ),
  good('answers 200 to kinds that it does not know', [
    KINDS,
    "  if (typeof event?.event_type !== 'string') return [400, {}];\n  if (!['item.add', 'item.remove'].includes(event.event_type)) return [200, {}];\n",
  ]),
  good(
    'says that it is busy with the same event',
    ...ASYNC,
    HANDLE_ONCE,
    [
      '  const key = event.idempotency_key;\n',
      `  const key = event.idempotency_key;
  const order = event.event_data.order_id;
  if (busy.has(order)) return [503, { error: 'busy' }];
  busy.add(order);
  await new Promise(resolve => setTimeout(resolve, 100));
  busy.delete(order);
`,
    ],
    ['const answered = new Map();', 'const answered = new Map();\nconst busy = new Set();'],
  ),
  good('is a second late, each time', [
    '  const raw = await readRaw(request);\n',
    '  const raw = await readRaw(request);\n  if (raw?.length > 0) await new Promise(resolve => setTimeout(resolve, 300));\n',
  ]),
];

export const POOL: readonly PoolReceiver[] = [
  ...SIGNATURE_MISTAKES,
  ...DUPLICATE_MISTAKES,
  ...ITEM_MISTAKES,
  ...BODY_MISTAKES,
  ...LOAD_MISTAKES,
  ...RIGHT,
];

/** The program of a receiver of the pool. */
export function programOf({ name, changes }: PoolReceiver): string {
  return [INVENTORY, ...changes].reduce((program, [from, to]) => {
    if (!program.includes(from)) throw new Error(`${name}: the example has no ${from}`);
    return program.replace(from, () => to);
  }, SOURCE);
}
