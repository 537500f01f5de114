import { named, nullable, oneLine, opaqueId, page, paging, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { Ceremony, ceremonyPart, password } from './session.ts';

const passkeyParams = Type.Object({ passkey_id: opaqueId('psk', 'The passkey.') });
const passkeyName = () => oneLine(255, 'What the user calls it.', 1);

export const SecurityEvent = named(
  'SecurityEvent',
  {
    id: opaqueId('aud', 'The event.'),
    kind: Type.String({ description: 'What happened.', examples: ['user.signed_in'] }),
    before: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    after: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    ip: nullable(Type.String({ description: 'IP address of the request.' })),
    created_at: time('When.'),
  },
  'Something that happened to the user’s own account.',
);
export type SecurityEvent = Static<typeof SecurityEvent>;

/** How a user confirms their identity besides the password. */
export const securityEndpoints = {
  confirmIdentity: dashboardEndpoint({
    name: 'confirm_identity',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/confirm',
    summary: 'Prove who you are again, by password or passkey. Good for 10 minutes in this session.',
    body: named(
      'ConfirmIdentity',
      {
        password: Type.Optional(password('The password.')),
        code: Type.Optional(
          Type.String({ maxLength: 40, description: 'Beside the password, where the user has two-step sign-in.' }),
        ),
        answer: Type.Optional(ceremonyPart()),
      },
      'A passkey’s answer, or the password.',
    ),
    response: { status: 204, description: 'Confirmed.' },
    errors: ['password_wrong', 'passkey_invalid', 'totp_required', 'passkey_required', 'totp_invalid', 'rate_limited'],
  }),
  beginPasskeyConfirmation: dashboardEndpoint({
    name: 'begin_passkey_confirmation',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/confirm/begin',
    summary: 'What the browser asks one of the user’s passkeys to sign.',
    response: { status: 200, description: 'Options of the ceremony.', schema: Ceremony },
    errors: ['passkey_not_found'],
  }),
  beginPasskey: dashboardEndpoint({
    name: 'begin_passkey',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/passkeys/begin',
    confirms: 'always',
    summary: 'What the browser asks a device to make, for `navigator.credentials.create`.',
    response: { status: 200, description: 'Options of the ceremony.', schema: Ceremony },
    errors: ['email_unverified', 'too_many_passkeys'],
  }),
  addPasskey: dashboardEndpoint({
    name: 'add_passkey',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/passkeys',
    confirms: 'always',
    summary: 'Add the passkey that the device made. The first second factor comes with recovery codes.',
    body: named('AddPasskey', { name: passkeyName(), answer: ceremonyPart() }, 'The new passkey.'),
    response: {
      status: 201,
      description: 'Added.',
      schema: named(
        'PasskeyAdded',
        {
          recovery_codes: nullable(
            Type.Array(Type.String(), { description: 'Shown only once; null when the user has some already.' }),
          ),
        },
        'A passkey was added.',
      ),
    },
    errors: ['email_unverified', 'passkey_invalid'],
  }),
  renamePasskey: dashboardEndpoint({
    name: 'rename_passkey',
    scope: 'user',
    method: 'PATCH',
    path: '/dashboard/api/me/passkeys/{passkey_id}',
    summary: 'Call a passkey something else.',
    params: passkeyParams,
    body: named('RenamePasskey', { name: passkeyName() }, 'The new name.'),
    response: { status: 204, description: 'Renamed.' },
    errors: ['passkey_not_found'],
  }),
  removePasskey: dashboardEndpoint({
    name: 'remove_passkey',
    scope: 'user',
    method: 'DELETE',
    path: '/dashboard/api/me/passkeys/{passkey_id}',
    confirms: 'always',
    summary: 'Remove a passkey. Ends every other session.',
    params: passkeyParams,
    response: { status: 204, description: 'Removed.' },
    errors: ['passkey_not_found'],
  }),
  listSecurityEvents: dashboardEndpoint({
    name: 'list_security_events',
    scope: 'user',
    method: 'GET',
    path: '/dashboard/api/me/security_events',
    summary: 'What happened to the user’s own account, newest first: sign-ins, failed ones, and every change.',
    query: Type.Object({ ...paging }),
    response: { status: 200, description: 'Events.', schema: page('SecurityEventPage', SecurityEvent) },
    errors: [],
  }),
};
