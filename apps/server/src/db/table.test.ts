import { describe, expect, it } from 'vitest';
import { sql } from './sql.ts';
import { json, jsonOrNull, type RowOf, renamed, type Stored, table, typed, withDates } from './table.ts';

interface Note {
  text: string;
  at: Date;
  until: Date | null;
}

const EXAMS = table('exams_of_test', {
  environmentId: 'text',
  id: 'text',
  kind: renamed('event_type', typed<'first' | 'second'>('text')),
  note: jsonOrNull(withDates<Note>('at', 'until')),
  tags: json<string[]>(),
  endedAt: 'timestamptz?',
});

type Exam = RowOf<typeof EXAMS>;

const STORED = { environmentId: 'env_1', id: 'exm_1', kind: 'first', tags: ['a'], endedAt: null };

describe('a table', () => {
  it('lists its columns to read them, also by an alias', () => {
    expect(EXAMS.columns.sqlText).toBe(
      'environment_id as "environmentId", id, event_type as "kind", note, tags, ended_at as "endedAt"',
    );
    expect(EXAMS.pick('id, endedAt').of('e').sqlText).toBe('e.id, e.ended_at as "endedAt"');
    expect(EXAMS.of('e')).toBe(EXAMS.of('e'));
  });

  it('lists them to write them', () => {
    const written = EXAMS.omit('environmentId, note, tags, endedAt');
    expect(written.names.sqlText).toBe('id, event_type');
    expect(written.setFrom('t').sqlText).toBe('id = t.id, event_type = t.event_type');
    expect(
      EXAMS.pick(`id, tags,
      endedAt`).types,
    ).toEqual({ id: 'text', tags: 'json', endedAt: 'timestamptz' });
  });

  it('gives a row as values, JSON as text', () => {
    const NEW = EXAMS.pick('id, tags, note');
    const row = { id: 'exm_1', tags: ['a'], note: null };
    expect(
      sql('exam_insert')`insert into exams (environment_id, ${NEW.names}) values (${'env_1'}, ${NEW.values(row)})`,
    ).toEqual({
      name: 'exam_insert',
      text: 'insert into exams (environment_id, id, tags, note) values ($1, $2, $3, $4)',
      values: ['env_1', 'exm_1', '["a"]', null],
    });
  });

  it('reads times that are inside JSON, and leaves null alone', () => {
    const note = { text: 'late', at: '2026-01-02T03:04:05.000Z', until: null };
    const read = (row: object): Exam => EXAMS.read(row as Stored<Exam>);
    expect(read({ ...STORED, note })).toEqual({ ...STORED, note: { ...note, at: new Date(note.at) } });
    expect(read({ ...STORED, note: null }).note).toBeNull();
  });

  it('reads a row that came as JSON', () => {
    const endedAt = '2026-01-02T03:04:05.000Z';
    expect(EXAMS.readJson({ ...STORED, note: null, endedAt }).endedAt).toEqual(new Date(endedAt));
  });

  it('compiles only with columns that fit', () => {
    const rows = [
      // @ts-expect-error: no such type of a column
      () => table('rows_of_test', { id: 'string' }),
      // @ts-expect-error: no such property
      () => EXAMS.pick('id, endedOn'),
      // @ts-expect-error: no such property
      () => EXAMS.omit('endedOn'),
    ];
    expect(rows).toHaveLength(3);
    const kind: Exam['kind'] = 'first';
    expect(kind).toBe('first');
    // @ts-expect-error: it may be null
    const endedAt: Date = null as Exam['endedAt'];
    expect(endedAt).toBeNull();
  });
});
