import { oneLine } from '../shape.ts';
import { Type } from '../type.ts';

const PASSWORD_CHARS = 1_000;

/** Whether it is good enough is a rule with an answer of its own, not a matter of shape. */
export const password = (description: string) => Type.String({ maxLength: PASSWORD_CHARS, description });

export const totpCode = () =>
  Type.Optional(
    oneLine(40, 'Six digits of the authenticator app, or a recovery code. Only when two-step sign-in is on.'),
  );
