import { email, named, nullable, oneLine, oneOf, opaqueId, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { DASHBOARD_LOCALES, password, totpCode } from './session.ts';

const PasskeyLine = named(
  'PasskeyLine',
  {
    id: opaqueId('psk', 'The passkey.'),
    name: Type.String({ description: 'What the user calls it.' }),
    created_at: time('When it was added.'),
    last_used_at: nullable(time('When it was last used.')),
  },
  'A passkey of the user.',
);

export const Profile = named(
  'Profile',
  {
    id: opaqueId('usr', 'The user.'),
    email: Type.String({ description: 'Email address.' }),
    email_verified: Type.Boolean({ description: 'Whether a link that was sent to the address has been opened.' }),
    pending_email: nullable(Type.String({ description: 'A new address that is not confirmed yet.' })),
    name: Type.String({ description: 'Name; empty when none was given.' }),
    locale: nullable(oneOf(DASHBOARD_LOCALES, 'Language of the dashboard; null follows the browser.')),
    totp_enabled: Type.Boolean({ description: 'Whether two-step sign-in is on.' }),
    passkeys: Type.Array(PasskeyLine, { description: 'Oldest first.' }),
    recovery_codes_left: Type.Integer({ description: 'Recovery codes that were not used yet.' }),
    created_at: time('When the user was created.'),
  },
  'The signed-in user.',
);
export type Profile = Static<typeof Profile>;

export const SessionLine = named(
  'SessionLine',
  {
    id: opaqueId('ses', 'The session.'),
    is_current: Type.Boolean({ description: 'Whether it is the caller.' }),
    ip: Type.String({ description: 'IP address that last used it.' }),
    user_agent: Type.String({ description: 'User agent of the browser.' }),
    created_at: time('When it began.'),
    last_seen_at: time('When it was last used, to the minute.'),
    expires_at: time('When it ends at the latest.'),
  },
  'A signed-in browser.',
);
export type SessionLine = Static<typeof SessionLine>;

const RecoveryCodes = named(
  'RecoveryCodes',
  {
    recovery_codes: Type.Array(Type.String(), { description: 'Each replaces a code once. Shown only once.' }),
  },
  'Codes to sign in with when the phone is lost.',
);

const again = named(
  'PasswordAgain',
  { password: Type.Optional(password('The user’s current password; not needed within 10 minutes of giving it.')) },
  'Confirmation of identity.',
);

export const profileEndpoints = {
  getProfile: dashboardEndpoint({
    name: 'get_profile',
    scope: 'user',
    method: 'GET',
    path: '/dashboard/api/me',
    summary: 'The signed-in user.',
    response: { status: 200, description: 'The user.', schema: Profile },
    errors: [],
  }),
  patchProfile: dashboardEndpoint({
    name: 'patch_profile',
    scope: 'user',
    method: 'PATCH',
    path: '/dashboard/api/me',
    summary: 'Change name or language; omitted fields stay as they are.',
    body: named(
      'PatchProfile',
      {
        name: Type.Optional(oneLine(255, 'Name.')),
        locale: Type.Optional(nullable(oneOf(DASHBOARD_LOCALES, 'Language; null follows the browser.'))),
      },
      'Fields to change.',
    ),
    response: { status: 200, description: 'The user.', schema: Profile },
    errors: [],
  }),
  changeEmail: dashboardEndpoint({
    name: 'change_email',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/email',
    summary: 'Send a confirmation link to the new address; the old one stays until the link is opened.',
    body: named(
      'ChangeEmail',
      {
        email: email('The new address.'),
        password: Type.Optional(password('The user’s current password; not needed within 10 minutes of giving it.')),
      },
      'New.',
    ),
    response: { status: 202, description: 'A mail is on its way.' },
    errors: ['rate_limited'],
    confirms: 'unless_password',
  }),
  requestVerification: dashboardEndpoint({
    name: 'request_verification',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/email/verification',
    summary: 'Send the link that confirms the email address again; the link before stops working.',
    response: {
      status: 202,
      description: 'A mail is on its way.',
      schema: named(
        'VerificationSent',
        {
          url: nullable(
            Type.String({ description: 'The link itself: for owners of the first company where no mail is sent.' }),
          ),
        },
        'A link that confirms the address.',
      ),
    },
    errors: ['already_verified', 'rate_limited'],
  }),
  changePassword: dashboardEndpoint({
    name: 'change_password',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/password',
    summary: 'Change the password. Ends every other session.',
    body: named(
      'ChangePassword',
      { current_password: password('The current password.'), password: password('The new password.') },
      'Both.',
    ),
    response: { status: 204, description: 'Changed.' },
    errors: ['confirmation_required', 'password_wrong', 'rate_limited'],
  }),
  beginTotp: dashboardEndpoint({
    name: 'begin_totp',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/totp',
    summary: 'Create a secret for the authenticator app. It takes effect once confirmed.',
    body: again,
    response: {
      status: 200,
      description: 'For the app.',
      schema: named(
        'TotpSecret',
        {
          secret: Type.String({ description: 'In base 32, to type in.' }),
          otpauth_uri: Type.String({ description: 'To draw as a QR code.' }),
        },
        'What the app needs.',
      ),
    },
    errors: ['email_unverified', 'totp_wrong_state', 'rate_limited'],
    confirms: 'unless_password',
  }),
  confirmTotp: dashboardEndpoint({
    name: 'confirm_totp',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/totp/confirm',
    summary: 'Turn on two-step sign-in with the first code from the app.',
    body: named('ConfirmTotp', { code: oneLine(40, 'Six digits.') }, 'Proof that the app has the secret.'),
    response: { status: 200, description: 'On.', schema: RecoveryCodes },
    errors: ['totp_invalid', 'totp_wrong_state', 'rate_limited'],
  }),
  disableTotp: dashboardEndpoint({
    name: 'disable_totp',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/totp/disable',
    summary: 'Turn off two-step sign-in.',
    body: named(
      'DisableTotp',
      {
        password: Type.Optional(password('The user’s current password; not needed within 10 minutes of giving it.')),
        code: totpCode(),
      },
      'Proof.',
    ),
    response: { status: 204, description: 'Off.' },
    errors: ['totp_invalid', 'totp_wrong_state', 'rate_limited'],
    confirms: 'unless_password',
  }),
  renewRecoveryCodes: dashboardEndpoint({
    name: 'renew_recovery_codes',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/recovery_codes',
    summary: 'Create ten new recovery codes; the old ones stop working.',
    body: again,
    response: { status: 200, description: 'The new codes.', schema: RecoveryCodes },
    errors: ['totp_wrong_state', 'rate_limited'],
    confirms: 'unless_password',
  }),
  listSessions: dashboardEndpoint({
    name: 'list_sessions',
    scope: 'user',
    method: 'GET',
    path: '/dashboard/api/me/sessions',
    summary: 'Where the user is signed in, newest first.',
    response: {
      status: 200,
      description: 'Sessions.',
      schema: named('SessionList', { data: Type.Array(SessionLine) }, 'Sessions.'),
    },
    errors: [],
  }),
  endSession: dashboardEndpoint({
    name: 'end_session',
    scope: 'user',
    method: 'DELETE',
    path: '/dashboard/api/me/sessions/{session_id}',
    summary: 'End one session.',
    params: Type.Object({ session_id: opaqueId('ses', 'The session.') }),
    response: { status: 204, description: 'Ended.' },
    errors: ['session_not_found'],
    confirms: 'always',
  }),
  endOtherSessions: dashboardEndpoint({
    name: 'end_other_sessions',
    scope: 'user',
    method: 'POST',
    path: '/dashboard/api/me/sessions/end_others',
    summary: 'End all other sessions.',
    response: {
      status: 200,
      description: 'Ended.',
      schema: named(
        'EndedSessions',
        { ended: Type.Integer({ description: 'Number of ended sessions.' }) },
        'Ended sessions.',
      ),
    },
    errors: [],
    confirms: 'always',
  }),
};
