import { fastify } from 'fastify';
import { answer } from './coinslot.js';

const app = fastify({ bodyLimit: 1024 * 1024 });

await app.register(async hooks => {
  // Only here, because the signature covers the raw bytes.
  hooks.removeAllContentTypeParsers();
  hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, raw, done) => done(null, raw));
  hooks.post('/webhook', (request, reply) => {
    const [status, body] = answer(name => request.headers[name], request.body ?? Buffer.alloc(0));
    return reply.code(status).send(body);
  });
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
