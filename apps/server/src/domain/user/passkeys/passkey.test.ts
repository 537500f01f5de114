import { describe, expect, it } from 'vitest';
import { assertOwnCeremony } from './passkey.ts';

const packed = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const answer = (client: unknown, userHandle?: string) => ({
  response: {
    clientDataJSON: packed(client),
    ...(userHandle && { userHandle: Buffer.from(userHandle).toString('base64url') }),
  },
});

describe('the answer of a passkey', () => {
  it('is taken from this site’s own page, for the user it names or for none', () => {
    for (const given of [answer({}), answer({ crossOrigin: false }), answer({ crossOrigin: false }, 'usr_1')])
      expect(() => assertOwnCeremony(given, 'usr_1')).not.toThrow();
  });

  it.each([
    ['from a frame of another site', answer({ crossOrigin: true })],
    ['with a flag that is no flag', answer({ crossOrigin: 'true' })],
    ['of another user', answer({}, 'usr_2')],
    ['without client data', { response: {} }],
    ['without a response', {}],
  ])('%s is refused', (_, given) => {
    expect(() => assertOwnCeremony(given, 'usr_1')).toThrow(expect.objectContaining({ code: 'passkey_invalid' }));
  });
});
