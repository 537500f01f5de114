import express from 'express';
import { answer } from './coinslot.js';

const app = express();

// Before express.json(): the signature is over the bytes as they came.
app.post('/webhook', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const [status, body] = answer(name => request.get(name), raw);
  response.status(status).json(body);
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
