import { answer } from '../../coinslot.js';

// Not on the edge: the receiver writes to its database.
export const runtime = 'nodejs';

export async function POST(request) {
  // The bytes as they came: the signature is over them.
  const [status, body] = answer(name => request.headers.get(name), Buffer.from(await request.arrayBuffer()));
  return Response.json(body, { status });
}
