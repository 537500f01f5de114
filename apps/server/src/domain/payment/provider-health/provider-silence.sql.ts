import type { Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

export interface SilenceKey {
  provider: string;
  accountId: string;
}

/** The first call without an answer begins it. */
export const insertSilence = (db: Queryable, { provider, accountId }: SilenceKey): Promise<void> =>
  db.execute(sql('provider_silence_insert')`
    insert into provider_silences (provider, account_id, since) values (${provider}, ${accountId}, app_now())
    on conflict (provider, account_id) do nothing`);

export const deleteSilence = (db: Queryable, { provider, accountId }: SilenceKey): Promise<void> =>
  db.execute(sql('provider_silence_delete')`
    delete from provider_silences where provider = ${provider} and account_id = ${accountId}`);

/** Accounts whose provider has not answered for so long. */
export const listSilences = (db: Queryable, forSeconds: number): Promise<(SilenceKey & { since: Date })[]> =>
  db.query(sql('provider_silence_list')`
    select provider, account_id as "accountId", since from provider_silences
    where since <= app_now() - make_interval(secs => ${forSeconds})`);
