import { answer } from '../../coinslot.js';

// The edge runtime cannot write to the receiver's database.
export const runtime = 'nodejs';

export async function POST(request) {
  // The signature covers the raw bytes.
  const [status, body] = answer(name => request.headers.get(name), Buffer.from(await request.arrayBuffer()));
  return Response.json(body, { status });
}
