import Type, { type Static } from 'typebox';
import { email, named, nullable, oneOf, opaqueId } from '../shape.ts';
import { dashboardEndpoint, ROLES } from './dashboard-endpoint.ts';
import { password, totpCode } from './fields.ts';

export const DASHBOARD_LOCALES = ['en', 'de'] as const;
export type DashboardLocale = (typeof DASHBOARD_LOCALES)[number];

export const CurrentUser = named(
  'CurrentUser',
  {
    id: opaqueId('usr', 'The user.'),
    email: Type.String({ description: 'E-mail address.' }),
    name: Type.String({ description: 'Name; empty when none was given.' }),
    locale: nullable(oneOf(DASHBOARD_LOCALES, 'Language of the dashboard; null follows the browser.')),
    totp_enabled: Type.Boolean({ description: 'Whether sign-in asks for a code as well.' }),
  },
  'Who is signed in.',
);
export type CurrentUser = Static<typeof CurrentUser>;

const GameLine = named(
  'GameLine',
  {
    id: opaqueId('game', 'The game.'),
    name: Type.String({ description: 'Its name.' }),
    icon_url: nullable(Type.String({ description: 'Its picture.' })),
  },
  'A game in the switcher.',
);

export const CompanyLine = named(
  'CompanyLine',
  {
    id: opaqueId('cmp', 'The company.'),
    name: Type.String({ description: 'Its name.' }),
    role: oneOf(ROLES, 'What the signed-in user is in it.'),
    games: Type.Array(GameLine, { description: 'Its games, oldest first.' }),
  },
  'A company of the signed-in user.',
);
export type CompanyLine = Static<typeof CompanyLine>;

export const SessionState = named(
  'SessionState',
  {
    csrf_token: Type.String({ description: 'Send it as `x-csrf-token` with everything but GET.' }),
    user: nullable(CurrentUser),
    companies: Type.Array(CompanyLine, { description: 'Empty when nobody is signed in.' }),
  },
  'Who is signed in, and what they may choose.',
);
export type SessionState = Static<typeof SessionState>;

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
    summary: 'Sign in. With two-step sign-in the first answer is totp_required; send it all again with the code.',
    body: named(
      'SignIn',
      { email: email('E-mail address.'), password: password('Password.'), code: totpCode() },
      'Who wants in.',
    ),
    response: { status: 200, description: 'Signed in; the cookie and the token are new.', schema: SessionState },
    errors: ['sign_in_failed', 'totp_required', 'totp_invalid', 'rate_limited'],
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
};
