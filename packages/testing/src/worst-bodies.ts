import { LIMITS } from '@coinslot/contract';
import { MAX_KEYS } from '../../../apps/server/src/http/strict-json.ts';

/** As many entries as fit: `make` gives the nth, and the whole stays within the limit of a body. */
function fill(before: string, make: (n: number) => string, after: string, most = Number.POSITIVE_INFINITY): string {
  const parts: string[] = [];
  let size = before.length + after.length;
  for (let n = 0; ; n++) {
    const part = make(n);
    size += part.length + 1;
    if (size > LIMITS.bodyBytes || n >= most) return before + parts.join(',') + after;
    parts.push(part);
  }
}

const order = (fields: string): string => `{"player_id":"p","items":[{"sku":"s"}],${fields}}`;
const keys = (count: number): string => Array.from({ length: count }, (_, n) => `"unknown${n}":0`).join(',');
const INEXACT = '1e999';
const long = (text: string): string => text.repeat(Math.floor((LIMITS.bodyBytes - 200) / text.length));

/** Bodies within the limits that cost the most, each by another part of reading and checking. */
export const WORST_BODIES: Readonly<Record<string, string>> = {
  'inexact numbers in a known field, 100 unknown keys': fill(
    `{${keys(100)},"player_id":"p","items":[{"sku":"s"}],"metadata":[`,
    () => INEXACT,
    ']}',
  ),
  'inexact numbers in an unknown field, 100 unknown keys': fill(`{${keys(100)},"z":[`, () => INEXACT, ']}'),
  'inexact numbers as items': fill('{"player_id":"p","items":[', () => INEXACT, ']}'),
  'one inexact number behind many exact ones': fill(`{"metadata":[`, () => '1', `,${INEXACT}]}`),
  'inexact numbers by key': fill('{"metadata":{', n => `"${n}":${INEXACT}`, '}}', MAX_KEYS),
  'wrong items': fill('{"player_id":"p","items":[', () => '1', ']}'),
  'empty items': fill('{"player_id":"p","items":[', () => '{}', ']}'),
  'items with every field wrong': fill(
    '{"player_id":1,"items":[',
    () => '{"sku":1,"name":1,"description":1,"quantity":"","price_decimal":"","currency":1,"image_url":1,"sale":1}',
    ']}',
  ),
  'unknown keys': fill('{', n => `"${n}x":"${'x'.repeat(40)}"`, '}', MAX_KEYS),
  'unknown keys in items': fill('{"player_id":"p","items":[', n => `{"sku":"s","${n}":0}`, ']}'),
  'items of many unknown keys': fill(
    '{"player_id":"p","items":[',
    () => `{${Array.from({ length: 2_000 }, (_, n) => `"${n}x":0`).join(',')}}`,
    ']}',
  ),
  'too many keys': fill('{', n => `"${n.toString(36)}x":0`, '}'),
  'wrong metadata': fill('{"player_id":"p","items":[{"sku":"s"}],"metadata":{', n => `"k${n}":0`, '}}', MAX_KEYS),
  'attributes of wrong kinds': fill(
    '{"player_id":"p","items":[],"player":{"attributes":{',
    n => `"k${n}":{}`,
    '}}}',
    MAX_KEYS,
  ),
  'wrong events': fill('{"url":"x","events":[', () => '"x"', ']}'),
  'one long text in every text field': order(
    ['email', 'locale', 'country', 'currency', 'back_to_game_url', 'back_to_store_url']
      .map(name => `"${name}":"${'a{order_id}'.repeat(3_600)}"`)
      .join(','),
  ),
  'one long URL': order(`"back_to_game_url":"intent:${long(';scheme=')}"`),
  'escaped keys and pointers': fill('{"player_id":"p","items":[],', n => `"~/~/~/${n}":0`, '}', MAX_KEYS - 2),
  'deep lists': fill('{"items":[', () => `${'['.repeat(28)}${INEXACT}${']'.repeat(28)}`, ']}'),
  'line breaks before an error': `${long('\n')}x`,
  'escapes in one text': `{"player_id":"${long('\\u00e9')}"}`,
  'long numbers': fill('{"items":[', () => '0.1000000000000000055511151231257827021181583404541015625', ']}'),
  'one number of many zeros': `{"price_decimal":0.${long('0')}1}`,
};
