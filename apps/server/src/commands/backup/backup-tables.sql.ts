import type pg from 'pg';
import type { AppliedMigration, BackupHeader, BackupTrailer, TableHeader } from './backup-format.ts';

/** Names come from PostgreSQL's own catalog, quoted by it. */
const OUR_TABLES = `
  select c.oid, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'
    and c.oid is distinct from to_regclass('migrations')`;

/** Every table that outlives a restart, each behind those that its rows refer to. */
export async function listTables(client: pg.Client): Promise<TableHeader[]> {
  const { rows } = await client.query<TableHeader & { needs: string[] }>(`
    with ours as (${OUR_TABLES})
    select o.name as table,
      array(select quote_ident(a.attname) from pg_attribute a
            where a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select p.name from pg_constraint f join ours p on p.oid = f.confrelid
            where f.conrelid = o.oid and f.contype = 'f' and f.confrelid <> f.conrelid) as needs
    from ours o order by o.name`);
  const ordered = new Map<string, TableHeader>();
  while (ordered.size < rows.length) {
    const next = rows.filter(row => !ordered.has(row.table) && row.needs.every(name => ordered.has(name)));
    if (next.length === 0) throw new Error('tables refer to each other in a circle');
    for (const { table, columns } of next) ordered.set(table, { table, columns });
  }
  return [...ordered.values()];
}

export async function listPartitions(client: pg.Client): Promise<BackupHeader['partitions']> {
  const { rows } = await client.query<BackupHeader['partitions'][number]>(`
    select t.parent, t.prefix, right(c.relname, 6) as month from time_partitions t
    join pg_inherits i on i.inhparent = to_regclass(t.parent) join pg_class c on c.oid = i.inhrelid
    where c.relname ~ '_[0-9]{6}$' order by 1, 3`);
  return rows;
}

export async function listSequences(client: pg.Client): Promise<BackupTrailer['sequences']> {
  const { rows: names } = await client.query<{ name: string }>(`
    select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name from pg_sequences
    where schemaname !~ '^pg_' order by 1`);
  return Promise.all(
    names.map(async ({ name }) => {
      const { rows } = await client.query<{ lastValue: string; isCalled: boolean }>(
        `select last_value::text as "lastValue", is_called as "isCalled" from ${name}`,
      );
      return { name, ...rows[0]! };
    }),
  );
}

export async function listApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>('select number, name, hash from migrations order by number');
  return rows;
}

/** A database on which a program ran has a master key. */
export async function isUsed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('master_keys') is not null as known`);
  if (!rows[0]!.known) return false;
  const found = await client.query(`select 1 from master_keys union all select 1 from users limit 1`);
  return found.rows.length > 0;
}

/** Postings that do not sum to zero: none, or the books are not whole. */
export async function countUnbalanced(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ n: number }>(`
    select count(*)::int as n from (select 1 from ledger_entries
      group by environment_id, posting_id, currency having sum(amount_minor) <> 0) unbalanced`);
  return rows[0]!.n;
}

/** For `doctor`, which says how old the last one is. A database that takes no writes, or of an older version, has no place for it. */
export async function noteBackup(client: pg.Client): Promise<void> {
  await client.query('commit');
  await client
    .query(`insert into heartbeats (kind, beat_at) values ('backup', clock_timestamp())
            on conflict (kind) do update set beat_at = excluded.beat_at`)
    .catch(() => {});
}
