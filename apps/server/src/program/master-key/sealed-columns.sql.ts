import type { Queryable } from '../../db/statement.ts';

/** Every sealed column there is, and by what its row is found. `keys.test.ts` compares it with the schema. */
export const SEALED_COLUMNS = {
  'users.totp': ['id', 'id'],
  'sessions.sso_token': ['user_id', 'id'],
  'company_sso.client_secret': ['company_id', 'company_id'],
  's2s_keys.key': ['environment_id', 'id'],
  'saved_methods.token': ['environment_id', 'id', 'player_id'],
  'provider_accounts.secret_key': ['company_id', 'account_id'],
  'provider_accounts.callback_secret': ['company_id', 'account_id'],
  'provider_charges.client_secret': ['environment_id', 'payment_id'],
  'webhook_subscriptions.secret': ['environment_id', 'id'],
  'webhook_subscriptions.previous_secret': ['environment_id', 'id'],
} as const satisfies Record<string, readonly [owner: string, id: string, player?: string]>;

export type SealedPlace = keyof typeof SEALED_COLUMNS;

export interface SealedValue {
  place: SealedPlace;
  owner: string;
  id: string;
  player: string | null;
  sealed: Buffer;
}

const SEALED = Object.entries(SEALED_COLUMNS)
  .map(([place, [owner, id, player = 'null::text']]) => {
    const [table, column] = place.split('.');
    return `select '${place}' as place, ${owner} as owner, ${id} as id, ${player} as player, ${column}_sealed as sealed from ${table}`;
  })
  .join(' union all ');

const ELSEWHERE = `from (${SEALED}) as s where s.sealed is not null and substring(s.sealed from 2 for 4) <> $1`;

/** Lists values under other keys. It scans the tables, because it runs once in years. */
export const listSealedElsewhere = (db: Queryable, keyId: Buffer, limit: number): Promise<SealedValue[]> =>
  db.query({
    name: '',
    text: `select s.place, s.owner, s.id, s.player, s.sealed ${ELSEWHERE} limit $2`,
    values: [keyId, limit],
  });

export const countSealedElsewhere = (db: Queryable, keyId: Buffer): Promise<number> =>
  db.queryValue({ name: '', text: `select count(*)::int as count ${ELSEWHERE}`, values: [keyId] });

/** Updates only the value that was read: a newer one is under the new key already. */
export function updateSealed(
  db: Queryable,
  { place, owner, id, sealed }: SealedValue,
  resealed: Buffer,
): Promise<void> {
  const [table, column] = place.split('.');
  const [ownerColumn, idColumn] = SEALED_COLUMNS[place];
  const text = `update ${table} set ${column}_sealed = $1
    where ${ownerColumn} = $2 and ${idColumn} = $3 and ${column}_sealed = $4`;
  return db.execute({ name: '', text, values: [resealed, owner, id, sealed] });
}
