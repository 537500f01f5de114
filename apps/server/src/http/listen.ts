import type { FastifyInstance } from 'fastify';
import { SetupError } from '../kit/setup-error.ts';

function explainPort(error: NodeJS.ErrnoException, setting: string, port: number, host: string): Error {
  const other = `Example: ${setting}=${port < 1024 ? port + 8000 : port + 1}`;
  if (error.code === 'EADDRINUSE')
    return new SetupError(
      `${setting}: another program listens on port ${port} already. Stop it, or take another. ${other}`,
    );
  if (error.code === 'EACCES')
    return new SetupError(`${setting}: this user may not listen on port ${port}. Take one above 1023. ${other}`);
  if (error.code === 'EADDRNOTAVAIL')
    return new SetupError(`HOST: this machine has no address ${host}. Example: HOST=0.0.0.0`);
  return error;
}

/** Fastify's own `listen` would log a line for each address between the program's lines. */
export async function listen(
  app: FastifyInstance,
  setting: 'PORT' | 'OPS_PORT',
  port: number,
  host: string,
): Promise<void> {
  await app.ready();
  await new Promise<void>((resolve, reject) => {
    app.server.once('error', error => reject(explainPort(error, setting, port, host)));
    app.server.listen(port, host, resolve);
  });
}
