import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

const CANDIDATES = ' a0-.,;:/@=_"\'<>()[]{}#%&+*?!|\\^$~`\t\nAZz9éя中\u0000';
/** What ends a long run so that nothing matches and every other way is tried. */
const ENDS = ['\u0001', 'x!', ' @<'];

type One = AST.Character | AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass;

function characterOf({ raw }: One, flags: string): string {
  const test = new RegExp(`^(?:${raw})$`, flags.replaceAll(/[gymd]/g, ''));
  return CANDIDATES.split('').find(one => test.test(one)) ?? 'a';
}

/** A short text that the nodes take. */
function sampleOf(nodes: readonly AST.Element[], flags: string): string {
  return nodes
    .map(node => {
      if (node.type === 'Quantifier')
        return sampleOf([node.element], flags).repeat(Math.max(node.min, Math.min(1, node.max)));
      if (node.type === 'Group' || node.type === 'CapturingGroup')
        return sampleOf(node.alternatives[0]!.elements, flags);
      return node.type === 'Assertion' || node.type === 'Backreference' ? '' : characterOf(node, flags);
    })
    .join('');
}

/** What stands before a node in its own sequence and in those around it. */
function before(node: AST.Element, flags: string): string {
  const { parent } = node;
  if (parent.type === 'Quantifier') return before(parent, flags);
  if (parent.type !== 'Alternative') return '';
  const own = sampleOf(parent.elements.slice(0, parent.elements.indexOf(node)), flags);
  const around = parent.parent;
  return around.type === 'Group' || around.type === 'CapturingGroup' ? before(around, flags) + own : own;
}

/** Long texts that make an expression with a weakness try many ways: each of its repetitions, repeated, and then no match. */
export function hostileTexts({ source, flags }: RegExp, length: number): string[] {
  const { pattern } = new RegExpParser().parseLiteral(`/${source}/${flags}`);
  const units = new Set<string>([sampleOf(pattern.alternatives[0]!.elements, flags)]);
  const starts = new Set<string>(['']);
  const literals = new Set<string>();
  let repetitions = 0;
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (node.max < 8) return;
      const unit = sampleOf([node.element], flags);
      const start = before(node, flags);
      for (const one of [unit, start, start + unit]) if (one !== '') units.add(one);
      starts.add(start);
      repetitions++;
    },
    onCharacterEnter(node) {
      literals.add(String.fromCodePoint(node.value));
    },
  });
  // A literal between two repetitions that take it too can be found by both.
  if (repetitions > 1) for (const one of literals) units.add(one);
  for (const one of starts) if (one !== '') units.add(one);
  const texts = new Set<string>();
  for (const start of starts)
    for (const unit of units)
      for (const end of ENDS)
        if (unit !== '') texts.add(start + unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + end);
  return [...texts];
}
