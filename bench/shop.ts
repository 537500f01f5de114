import pg from 'pg';

/** One short connection for a question to the database beside the server. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function subscribe(port: number, key: string, events: string[], receiverPort: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/s2s/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      events,
      url: `http://127.0.0.1:${receiverPort}/webhooks`,
      description: 'bench',
      method: 'POST',
    }),
  });
  const body = (await answer.json()) as { id: string };
  if (answer.status !== 201) throw new Error(`the webhook was not made: ${JSON.stringify(body)}`);
  return body.id;
}

export async function unsubscribe(port: number, key: string, id: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/s2s/v1/webhooks/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  });
  if (!answer.ok) throw new Error(`the webhook was not deleted: ${answer.status}`);
}

export const countPaid = (url: string, orderIds: string[]): Promise<number> =>
  withClient(url, async client => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from orders where id = any($1) and status = 'paid' and granted_at is not null`,
      [orderIds],
    );
    return rows[0]!.count;
  });
