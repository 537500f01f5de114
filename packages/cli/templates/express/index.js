import express from 'express';
import { answer } from './coinslot.js';

const app = express();

// This must come before express.json(), because the signature covers the raw bytes.
app.post('/webhook', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const [status, body] = answer(name => request.get(name), raw);
  response.status(status).json(body);
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
