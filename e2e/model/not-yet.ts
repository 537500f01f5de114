import type { Evidence, Rule, Violation } from './rules.ts';

interface Gap {
  rule: Rule;
  /** Which histories it is about; everything else under this rule is a violation. */
  when(evidence: Evidence, violation: Violation): boolean;
  why: string;
}

/** What the contract asks and the program does not do yet. An entry leaves with the change that makes it true. */
export const NOT_YET: readonly Gap[] = [];

export const gapOf = (evidence: Evidence, violation: Violation): Gap | null =>
  NOT_YET.find(({ rule, when }) => rule === violation.rule && when(evidence, violation)) ?? null;
