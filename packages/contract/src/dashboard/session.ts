import { email, named, nullable, oneLine, oneOf, opaqueId } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint, ROLES } from './dashboard-endpoint.ts';

const PASSWORD_CHARS = 1_000;

/** Only the length is checked here. A weak password gets its own error. */
export const password = (description: string) => Type.String({ maxLength: PASSWORD_CHARS, description });

export const totpCode = () =>
  Type.Optional(
    oneLine(40, 'Six digits from the authenticator app, or a recovery code. Only when two-step sign-in is on.'),
  );

export const DASHBOARD_LOCALES = ['en', 'de'] as const;
export type DashboardLocale = (typeof DASHBOARD_LOCALES)[number];

export const CurrentUser = named(
  'CurrentUser',
  {
    id: opaqueId('usr', 'The user.'),
    email: Type.String({ description: 'Email address.' }),
    email_verified: Type.Boolean({ description: 'Whether a link that was sent to the address has been opened.' }),
    name: Type.String({ description: 'Name; empty when none was given.' }),
    locale: nullable(oneOf(DASHBOARD_LOCALES, 'Language of the dashboard; null follows the browser.')),
    totp_enabled: Type.Boolean({ description: 'Whether sign-in asks for a code from an app.' }),
    passkeys: Type.Integer({ description: 'How many passkeys the user has.' }),
    by_sso: Type.Boolean({
      description:
        'Whether the company’s identity provider signed the user in: what asks for a proof takes a new sign-in there, and no password.',
    }),
  },
  'Who is signed in.',
);
export type CurrentUser = Static<typeof CurrentUser>;

const GameLine = named(
  'GameLine',
  {
    id: opaqueId('game', 'The game.'),
    name: Type.String({ description: 'Its name.' }),
    icon_url: nullable(Type.String({ description: 'Icon of the game.' })),
  },
  'A game in the switcher.',
);

export const CompanyLine = named(
  'CompanyLine',
  {
    id: opaqueId('cmp', 'The company.'),
    name: Type.String({ description: 'Its name.' }),
    role: oneOf(ROLES, 'The signed-in user’s role in it.'),
    second_factor_missing: Type.Boolean({
      description:
        'Whether the company asks for a second factor and the user has none: nothing of it can be read until then.',
    }),
    games: Type.Array(GameLine, { description: 'Its games, oldest first.' }),
  },
  'A company of the signed-in user.',
);
export type CompanyLine = Static<typeof CompanyLine>;

export const SessionState = named(
  'SessionState',
  {
    csrf_token: Type.String({ description: 'Send it as `x-csrf-token` with every request except GET.' }),
    registration_open: Type.Boolean({ description: 'Whether strangers can register a company here.' }),
    registration_needs_code: Type.Boolean({
      description: 'Whether it takes the set-up code that the program printed at its start.',
    }),
    installation_is_new: Type.Boolean({
      description: 'Whether no company was registered here yet, so that a visitor begins by registering.',
    }),
    live_is_simulated: Type.Boolean({
      description: 'Whether live runs on the simulator, so that no real money moves.',
    }),
    user: nullable(CurrentUser),
    companies: Type.Array(CompanyLine, { description: 'Empty when no user is signed in.' }),
  },
  'The signed-in user and their companies.',
);
export type SessionState = Static<typeof SessionState>;

/** The data of the WebAuthn standard. The same library writes and reads it on both sides. */
export const ceremonyPart = (description = 'As the WebAuthn standard has it, in JSON.') =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
  });

export const Ceremony = named('Ceremony', { options: ceremonyPart() }, 'One exchange with a passkey.');

const token = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

export const StoreGame = named(
  'StoreGame',
  {
    store: Type.String({ description: 'The store.' }),
    store_label: Type.String({ description: 'Display name of the store.' }),
    app_id: Type.String({ description: 'The app in the store.' }),
    name: nullable(Type.String({ description: 'The name the link suggests; null when it has only an app id.' })),
  },
  'The game behind a store link.',
);

export const InvitationOffer = named(
  'InvitationOffer',
  {
    company: Type.String({ description: 'Name of the company.' }),
    role: oneOf(ROLES, 'Role of the new member.'),
    email: Type.String({ description: 'The invited email address.' }),
    invited_by: Type.String({ description: 'The member who sent the invitation.' }),
    has_account: Type.Boolean({
      description: 'Whether the email address belongs to a user, who must then sign in first.',
    }),
  },
  'An invitation, before it is accepted.',
);

export const sessionEndpoints = {
  getSession: dashboardEndpoint({
    name: 'get_session',
    scope: 'public',
    method: 'GET',
    path: '/dashboard/api/session',
    summary: 'Who is signed in, and the token for changes. The first call of the app.',
    response: { status: 200, description: 'The session.', schema: SessionState },
    errors: [],
  }),
  signIn: dashboardEndpoint({
    name: 'sign_in',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/sign_in',
    summary:
      'Sign in. With two-step sign-in the first response is totp_required; send the request again with the code.',
    body: named(
      'SignIn',
      { email: email('Email address.'), password: password('Password.'), code: totpCode() },
      'Credentials.',
    ),
    response: { status: 200, description: 'Signed in; the cookie and the token are new.', schema: SessionState },
    errors: ['sign_in_failed', 'totp_required', 'passkey_required', 'totp_invalid', 'rate_limited'],
  }),
  beginPasskeySignIn: dashboardEndpoint({
    name: 'begin_passkey_sign_in',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/sign_in/passkey/begin',
    summary: 'What the browser asks a passkey to sign, for `navigator.credentials.get`.',
    response: { status: 200, description: 'Options of the ceremony.', schema: Ceremony },
    errors: ['rate_limited'],
  }),
  signInWithPasskey: dashboardEndpoint({
    name: 'sign_in_with_passkey',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/sign_in/passkey',
    summary: 'Sign in with a passkey, without a password.',
    body: named('PasskeyAnswer', { answer: ceremonyPart() }, 'What the passkey signed.'),
    response: { status: 200, description: 'Signed in; the cookie and the token are new.', schema: SessionState },
    errors: ['passkey_invalid', 'rate_limited'],
  }),
  signOut: dashboardEndpoint({
    name: 'sign_out',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/sign_out',
    summary: 'End this session. Does nothing when there is none.',
    response: { status: 204, description: 'Signed out.' },
    errors: [],
  }),
  readStoreLink: dashboardEndpoint({
    name: 'read_store_link',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/store_link',
    summary: 'The game behind a store link, or why there is none.',
    body: named(
      'StoreLink',
      { game_url: Type.String({ maxLength: 2_083, description: 'Link of a game.' }) },
      'A link.',
    ),
    response: { status: 200, description: 'The game.', schema: StoreGame },
    errors: [],
  }),
  register: dashboardEndpoint({
    name: 'register',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/register',
    summary:
      'Create a user, a company and its first game, and sign in. All invalid fields are reported at once. Where mail is sent, the answer is the same for an address that is taken: `user` is null and a mail tells its owner how to go on.',
    body: named(
      'Register',
      {
        email: Type.String({ maxLength: 1_000, description: 'Email address.' }),
        password: password('Password.'),
        name: Type.Optional(oneLine(255, 'Name of the user.')),
        company: Type.String({ maxLength: 1_000, description: 'Name of the company.' }),
        game_url: Type.String({ maxLength: 2_083, description: 'Store link of a published mobile game.' }),
        game_name: Type.Optional(
          Type.String({
            maxLength: 1_000,
            description:
              'Name of the game, as players see it; taken from the link when omitted, else the company’s name.',
          }),
        ),
        locale: Type.Optional(oneOf(DASHBOARD_LOCALES, 'Language of the dashboard.')),
        setup_code: Type.Optional(
          oneLine(64, 'For the first company of a production installation: the code that the program printed.'),
        ),
      },
      'The new user and company.',
    ),
    response: {
      status: 201,
      description: 'Registered and signed in, or a mail is on its way and `user` is null.',
      schema: SessionState,
    },
    errors: ['registration_closed', 'email_taken', 'rate_limited'],
  }),
  requestPasswordReset: dashboardEndpoint({
    name: 'request_password_reset',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/password_resets',
    summary:
      'Send a link to /dashboard/reset#token=… if the address belongs to a user. The response is the same either way.',
    body: named('PasswordResetRequest', { email: email('Email address.') }, 'The user who forgot the password.'),
    response: { status: 202, description: 'If there is such a user, a mail is on its way.' },
    errors: ['rate_limited'],
  }),
  resetPassword: dashboardEndpoint({
    name: 'reset_password',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/password_resets/use',
    summary: 'Set a new password with the token from the link. Ends every session of the user.',
    body: named(
      'PasswordReset',
      { token: token('From the link.'), password: password('The new password.') },
      'The new password.',
    ),
    response: { status: 204, description: 'Changed; sign in with it.' },
    errors: ['link_invalid', 'rate_limited'],
  }),
  confirmEmail: dashboardEndpoint({
    name: 'confirm_email',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/email_changes/use',
    summary:
      'Confirm an email address, the first or a new one, with the token from the link to /dashboard/confirm-email#token=…. The first one takes a browser that is signed in to its account.',
    body: named('EmailConfirmation', { token: token('From the link.') }, 'Proof that the address is yours.'),
    response: { status: 204, description: 'Confirmed.' },
    errors: ['link_invalid', 'sign_in_required', 'rate_limited'],
  }),
  readInvitation: dashboardEndpoint({
    name: 'read_invitation',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/invitations/read',
    summary: 'What the link to /dashboard/invitation#token=… offers. A POST, so that the token is not in a URL.',
    body: named('InvitationToken', { token: token('From the link.') }, 'An invitation.'),
    response: { status: 200, description: 'The invitation.', schema: InvitationOffer },
    errors: ['invitation_invalid', 'rate_limited'],
  }),
  acceptInvitation: dashboardEndpoint({
    name: 'accept_invitation',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/invitations/accept',
    summary: 'Join the company as the signed-in user, or as a new user with name and password, who is then signed in.',
    body: named(
      'InvitationAcceptance',
      {
        token: token('From the link.'),
        name: Type.Optional(oneLine(255, 'Name of a new user.')),
        password: Type.Optional(password('Password of a new user.')),
        locale: Type.Optional(oneOf(DASHBOARD_LOCALES, 'Dashboard language of a new user.')),
      },
      'Yes.',
    ),
    response: { status: 200, description: 'Joined.', schema: SessionState },
    errors: [
      'invitation_invalid',
      'invitation_not_yours',
      'sign_in_required',
      'already_member',
      'email_unverified',
      'rate_limited',
    ],
  }),
};
