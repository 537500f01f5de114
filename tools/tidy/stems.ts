import { parseSync, Visitor } from 'vite';

/**
 * Refused as a word of an identifier or a file name, whatever its form: `tellOwners`, `told_at`, `rail-style`. Names are split at
 * capitals, underscores and hyphens, so that `detail` and `trailing` pass.
 */
const IN_NAMES: readonly (readonly [instead: string, stem: RegExp])[] = [
  ['emit, notify, show', /^(?:tell(?:s|ing|er)?|told)$/],
  ['Followup', /^legs?$/],
  ['advancePurchase, indexScan', /^walk(?:s|ed|er|ing)?$/],
  ['Transitions, changes, status', /^news$/],
  ['orphaned', /^strays?$/],
  ['evidence: needed, submitted, closed', /^hearings?$/],
  ['received, answered, lastSeen', /^(?:over)?heard$/],
  ['auth', /^entrances?$/],
  ['sidebar', /^rails?$/],
  ['capacity', /^rooms?$/],
  ['refresh, reload, retry', /^anew$/],
  ['request, option, preference', /^wish(?:es|ed|ing)?$/],
];

/** Refused as a whole name, because each stood for several things. */
const WHOLE_NAMES: ReadonlyMap<string, string> = new Map([
  ['No', 'Decline'],
  ['noOf', 'declineOf'],
  ['Held', 'ProviderState, DeliveryHold, ConnectionSlots, ServerLease'],
  ['Asked', 'StatementRunner'],
  ['Found', 'LocatedCharge'],
  ['Means', 'PaymentSource'],
  ['LineHeads', 'orderQueue'],
  ['takesDate', 'usesProviderDate'],
  ['called_off', 'canceled_by_refund'],
  ['createConnections', 'merchant accounts, connection slots, connections'],
  ['lost-strip', 'offline-banner'],
  ['awaited', 'evidence: needed'],
]);

/** Refused in comments: words without an actor, and words that a reader of today stumbles over. */
const IN_COMMENTS: readonly (readonly [instead: string, word: RegExp])[] = [
  ['again, from scratch', /\banew\b/i],
  ['forever', /\bfor ever\b/i],
  ['orphaned', /\bstray(?:s|ed)?\b/i],
  ['sign-in', /\bentrances?\b/i],
];

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

function nameRefused(name: string): string | undefined {
  const whole = WHOLE_NAMES.get(name);
  if (whole !== undefined) return whole;
  const words = wordsOf(name);
  return IN_NAMES.find(([, stem]) => words.some(word => stem.test(word)))?.[0];
}

function identifiersOf(program: ReturnType<typeof parseSync>['program']): Set<string> {
  const names = new Set<string>();
  const add = ({ name }: { name: string }): void => void names.add(name);
  new Visitor({ Identifier: add, PrivateIdentifier: add, JSXIdentifier: add }).visit(program);
  return names;
}

const fileNameOf = (path: string): string => path.split('/').at(-1)!.split('.')[0]!;

/** Checks a source file's own name, its identifiers and its comments. Texts are checked by `wordsRefused`. */
export function stemsRefused(path: string, text: string): string[] {
  const { program, comments } = parseSync(path, text);
  const names = [fileNameOf(path), ...identifiersOf(program)].flatMap(name => {
    const instead = nameRefused(name);
    return instead === undefined ? [] : [`${path}: ${name} (${instead})`];
  });
  const said = comments.flatMap(({ value, start }) =>
    IN_COMMENTS.flatMap(([instead, word]) => {
      const found = word.exec(value)?.[0];
      const line = text.slice(0, start).split('\n').length;
      return found === undefined ? [] : [`${path}:${line}: ${found} (${instead})`];
    }),
  );
  return [...names, ...said];
}
