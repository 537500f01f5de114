import { ERRORS, type ErrorCode } from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../kit/app-error.ts';

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

/** `type` of every problem leads here: the code in words, and what to do. */
export function mountErrorPages(app: FastifyInstance): void {
  app.get<{ Params: { code: string } }>('/errors/:code', (request, reply) => {
    const { code } = request.params;
    if (!isErrorCode(code)) throw new AppError('not_found');
    const { status, title, description, whatToDo } = ERRORS[code];
    return reply
      .type('text/plain; charset=utf-8')
      .header('x-content-type-options', 'nosniff')
      .send(`${code} (${status})\n\n${title}.\n\n${description}\n\nWhat to do: ${whatToDo}\n`);
  });
}
