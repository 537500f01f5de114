import { type Queryable, type RowOf, sql, table } from '../../../../db/statement.ts';

const CUSTOMERS = table('provider_customers', {
  environmentId: 'text',
  playerId: 'text',
  accountId: 'text',
  /** Null: it was deleted at the provider. */
  customerId: 'text?',
  /** How many were deleted or refused before. */
  generation: 'int',
});

type Customer = RowOf<typeof CUSTOMERS>;
type CustomerKey = Omit<Customer, 'customerId' | 'generation'>;

export const findCustomer = (db: Queryable, key: CustomerKey): Promise<Customer | null> =>
  db.queryOne(sql('provider_customer_find')`
    select ${CUSTOMERS.columns} from provider_customers
    where environment_id = ${key.environmentId} and player_id = ${key.playerId} and account_id = ${key.accountId}`);

/** Returns the customer that counts: the one that was stored first. */
export const insertCustomer = (db: Queryable, key: CustomerKey, customerId: string): Promise<string> =>
  db.queryValue(sql('provider_customer_insert')`
    insert into provider_customers (environment_id, player_id, account_id, customer_id, created_at)
    values (${key.environmentId}, ${key.playerId}, ${key.accountId}, ${customerId}, app_now())
    on conflict (environment_id, player_id, account_id) do update
      set customer_id = coalesce(provider_customers.customer_id, excluded.customer_id)
    returning customer_id`);

export const listCustomers = (
  db: Queryable,
  environmentId: string,
  playerId: string,
): Promise<(Customer & { customerId: string })[]> =>
  db.query(sql('provider_customer_list')`
    select ${CUSTOMERS.columns} from provider_customers
    where environment_id = ${environmentId} and player_id = ${playerId} and customer_id is not null`);

export const deleteCustomer = (db: Queryable, key: CustomerKey): Promise<void> =>
  db.execute(sql('provider_customer_delete')`
    delete from provider_customers where environment_id = ${key.environmentId} and player_id = ${key.playerId}
      and account_id = ${key.accountId}`);

/** A person deleted it at the provider. The next order makes a new one. */
export const updateCustomerGone = (db: Queryable, key: CustomerKey): Promise<void> =>
  db.execute(sql('provider_customer_gone')`
    update provider_customers set customer_id = null, generation = generation + 1
    where environment_id = ${key.environmentId} and player_id = ${key.playerId} and account_id = ${key.accountId}
      and customer_id is not null`);

/** The provider answered with an error, which it keeps under this key. The next try takes another. */
export const updateCustomerRefused = (db: Queryable, key: CustomerKey, generation: number): Promise<void> =>
  db.execute(sql('provider_customer_refused')`
    insert into provider_customers (environment_id, player_id, account_id, generation, created_at)
    values (${key.environmentId}, ${key.playerId}, ${key.accountId}, ${generation + 1}, app_now())
    on conflict (environment_id, player_id, account_id) do update set generation = excluded.generation
      where provider_customers.generation = ${generation} and provider_customers.customer_id is null`);
