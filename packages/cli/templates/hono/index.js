import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { answer } from './coinslot.js';

const app = new Hono();

app.post('/webhook', bodyLimit({ maxSize: 1024 * 1024 }), async c => {
  // The signature covers the raw bytes.
  const [status, body] = answer(name => c.req.header(name), Buffer.from(await c.req.arrayBuffer()));
  return c.json(body, status);
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' });
