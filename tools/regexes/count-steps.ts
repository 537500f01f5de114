import { type AST, RegExpParser } from '@eslint-community/regexpp';

/**
 * What a regular expression costs on a text, counted in steps of a backtracking machine as the one in V8 is, so that a slow
 * or busy machine changes nothing. Time would say less and fail at random.
 */
type Op =
  | { op: 'one'; takes: (character: string) => boolean }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'save'; slot: number }
  | { op: 'mark'; slot: number }
  | { op: 'progress'; slot: number }
  | { op: 'again'; slot: number }
  | { op: 'edge'; test: (text: string, at: number) => boolean }
  | { op: 'look'; program: Op[]; behind: boolean; negate: boolean }
  | { op: 'match' };

/** A repetition of more than this is as good as endless for what is measured here, and copies are made of shorter ones. */
const LONGEST_COPY = 300;

function remembered(test: RegExp): (character: string) => boolean {
  const answers: (boolean | undefined)[] = [];
  return character => {
    const code = character.charCodeAt(0);
    answers[code] ??= test.test(character);
    return answers[code];
  };
}

/** Whether an element may match without taking a character; only then does a repetition have to watch that it gets on. */
function canBeEmpty(node: AST.Element): boolean {
  if (node.type === 'Quantifier') return node.min === 0 || canBeEmpty(node.element);
  if (node.type === 'Group' || node.type === 'CapturingGroup')
    return node.alternatives.some(({ elements }) => elements.every(canBeEmpty));
  return node.type === 'Assertion' || node.type === 'Backreference';
}

const isWord = (text: string, at: number): boolean => /\w/.test(text[at] ?? '');

function edgeOf(node: AST.EdgeAssertion | AST.WordBoundaryAssertion, multiline: boolean): Op {
  if (node.kind === 'word')
    return { op: 'edge', test: (text, at) => (isWord(text, at - 1) !== isWord(text, at)) !== node.negate };
  const outside = node.kind === 'start' ? 0 : 1;
  return {
    op: 'edge',
    test: (text, at) => {
      const isEnd = outside === 0 ? at === 0 : at === text.length;
      return isEnd || (multiline && text[outside === 0 ? at - 1 : at] === '\n');
    },
  };
}

class Compiler {
  readonly program: Op[] = [];
  readonly #flags: AST.Flags;
  readonly #shared: { slots: number; groups: Map<AST.CapturingGroup, number> };

  constructor(flags: AST.Flags, shared = { slots: 0, groups: new Map<AST.CapturingGroup, number>() }) {
    this.#flags = flags;
    this.#shared = shared;
  }

  alternatives(list: readonly AST.Alternative[]): void {
    const exits: { to: number }[] = [];
    list.forEach((alternative, i) => {
      const split = i < list.length - 1 ? { op: 'split' as const, first: 0, second: 0 } : null;
      if (split) {
        this.program.push(split);
        split.first = this.program.length;
      }
      for (const element of alternative.elements) this.element(element);
      if (!split) return;
      const exit = { op: 'jump' as const, to: 0 };
      this.program.push(exit);
      exits.push(exit);
      split.second = this.program.length;
    });
    for (const exit of exits) exit.to = this.program.length;
  }

  element(node: AST.Element): void {
    if (node.type === 'Quantifier') this.quantifier(node);
    else if (node.type === 'Group') this.alternatives(node.alternatives);
    else if (node.type === 'CapturingGroup') this.capture(node);
    else if (node.type === 'Assertion') this.assertion(node);
    else if (node.type === 'Backreference') {
      const { resolved } = node;
      if (Array.isArray(resolved)) throw new Error('A reference to several groups is not counted.');
      this.program.push({ op: 'again', slot: this.#shared.groups.get(resolved)! });
    } else {
      const { ignoreCase, dotAll, unicode, unicodeSets } = this.#flags;
      const flags = `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}${unicodeSets ? 'v' : unicode ? 'u' : ''}`;
      this.program.push({ op: 'one', takes: remembered(new RegExp(`^(?:${node.raw})$`, flags)) });
    }
  }

  capture(node: AST.CapturingGroup): void {
    if (node.references.length === 0) {
      this.alternatives(node.alternatives);
      return;
    }
    const slot = this.#shared.groups.get(node) ?? this.#shared.slots;
    if (!this.#shared.groups.has(node)) {
      this.#shared.groups.set(node, slot);
      this.#shared.slots += 2;
    }
    this.program.push({ op: 'save', slot });
    this.alternatives(node.alternatives);
    this.program.push({ op: 'save', slot: slot + 1 });
  }

  assertion(node: AST.Assertion): void {
    if (node.kind !== 'lookahead' && node.kind !== 'lookbehind') {
      this.program.push(edgeOf(node, this.#flags.multiline));
      return;
    }
    const inner = new Compiler(this.#flags, this.#shared);
    inner.alternatives(node.alternatives);
    inner.program.push({ op: 'match' });
    const { kind, negate } = node;
    this.program.push({ op: 'look', program: inner.program, behind: kind === 'lookbehind', negate });
  }

  quantifier({ element, min, max, greedy }: AST.Quantifier): void {
    for (let i = 0; i < Math.min(min, LONGEST_COPY); i++) this.element(element);
    const way = (first: number, second: number) => (greedy ? { first, second } : { first: second, second: first });
    if (max === Number.POSITIVE_INFINITY || max - min > LONGEST_COPY) {
      const slot = canBeEmpty(element) ? this.#shared.slots++ : null;
      const split = { op: 'split' as const, first: 0, second: 0 };
      const start = this.program.push(split) - 1;
      if (slot !== null) this.program.push({ op: 'mark', slot });
      this.element(element);
      if (slot !== null) this.program.push({ op: 'progress', slot });
      this.program.push({ op: 'jump', to: start });
      Object.assign(split, way(start + 1, this.program.length));
      return;
    }
    const splits: { at: number; split: { first: number; second: number } }[] = [];
    for (let i = min; i < max; i++) {
      const split = { op: 'split' as const, first: 0, second: 0 };
      splits.push({ at: this.program.push(split) - 1, split });
      this.element(element);
    }
    for (const { at, split } of splits) Object.assign(split, way(at + 1, this.program.length));
  }
}

class Meter {
  steps = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether the limit is passed. */
  step(): boolean {
    return ++this.steps > this.#limit;
  }
}

const NO_SLOTS: ReadonlyMap<number, number> = new Map();

/** Where a match from here ends, or -1; -2 when there were too many steps. */
function run(program: Op[], text: string, from: number, given: ReadonlyMap<number, number>, meter: Meter): number {
  // Three entries for each way that is still to be tried: an object for each would take most of the time.
  const ways: (number | ReadonlyMap<number, number>)[] = [];
  let pc = 0;
  let at = from;
  let slots = given;
  for (;;) {
    if (meter.step()) return -2;
    const now = program[pc]!;
    let ok = true;
    pc++;
    switch (now.op) {
      case 'match':
        return at;
      case 'one':
        ok = at < text.length && now.takes(text[at]!);
        at++;
        break;
      case 'split':
        ways.push(now.second, at, slots);
        pc = now.first;
        break;
      case 'jump':
        pc = now.to;
        break;
      case 'save':
      case 'mark':
        slots = new Map(slots).set(now.slot, at);
        break;
      case 'progress':
        ok = slots.get(now.slot) !== at;
        break;
      case 'again': {
        const part = text.slice(slots.get(now.slot) ?? 0, slots.get(now.slot + 1) ?? 0);
        ok = text.startsWith(part, at);
        at += part.length;
        break;
      }
      case 'edge':
        ok = now.test(text, at);
        break;
      case 'look': {
        // Behind: of the few characters before, which is all that ours look at.
        const starts = now.behind ? Array.from({ length: Math.min(at, 8) + 1 }, (_, i) => at - i) : [at];
        const ends = starts.map(start => run(now.program, text, start, slots, meter));
        if (ends.includes(-2)) return -2;
        ok = ends.some(end => (now.behind ? end === at : end >= 0)) !== now.negate;
      }
    }
    if (ok) continue;
    if (ways.length === 0) return -1;
    slots = ways.pop() as ReadonlyMap<number, number>;
    at = ways.pop() as number;
    pc = ways.pop() as number;
  }
}

/** Counts the steps of a search for every match in a text; `limit` and one more when it would take more than that. */
export function stepCounter({ source, flags: given }: RegExp, limit: number): (text: string) => number {
  const { pattern, flags } = new RegExpParser().parseLiteral(`/${source}/${given}`);
  const compiler = new Compiler(flags);
  compiler.alternatives(pattern.alternatives);
  compiler.program.push({ op: 'match' });
  return text => {
    const meter = new Meter(limit);
    for (let from = 0; from <= text.length; from++) {
      const end = run(compiler.program, text, from, NO_SLOTS, meter);
      if (end === -2 || meter.steps > limit) return limit + 1;
      if (end < 0) continue;
      if (!flags.global) break;
      from = Math.max(from, end - 1);
    }
    return meter.steps;
  };
}
