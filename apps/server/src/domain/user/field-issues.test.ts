import { expect, it } from 'vitest';
import { nameIssue } from './field-issues.ts';

it('a name reads as it is written, in every script', () => {
  for (const name of ['Ada', 'نورث ويند', 'נורת\u200Fווינד', '北風', 'Łukasz O’Neill'])
    expect([name, nameIssue(name, '/name')]).toEqual([name, null]);
  for (const name of ['Ada\u202Egpj.exe', '\u2066owner\u2069', '\u202Ax', 'a\tb', 'a\nb', 'a\0b'])
    expect([name, nameIssue(name, '/name')?.pointer]).toEqual([name, '/name']);
});
