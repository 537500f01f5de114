import { named, nullable, oneLine, oneOf, opaqueId, webUrl } from '../../shape.ts';
import { type Static, Type } from '../../type.ts';
import { dashboardEndpoint } from '../dashboard-endpoint.ts';
import { SessionState } from '../session.ts';

const SSO = '/dashboard/api/companies/{company_id}/sso';

/** Owners come by invitation alone. */
export const SSO_ROLES = ['viewer', 'support', 'developer'] as const;

const GroupRole = named(
  'GroupRole',
  {
    group: oneLine(255, 'A value of the claim.', 1),
    role: oneOf(SSO_ROLES, 'What its members may do. Of several groups the highest role counts.'),
  },
  'The role of a group.',
);

const fields = {
  issuer: webUrl('The OpenID provider, as its configuration names it.'),
  client_id: oneLine(255, 'The client that was registered there.', 1),
  domains: Type.Array(oneLine(253, 'A domain.', 1), {
    minItems: 1,
    maxItems: 20,
    description: 'Email addresses of other domains are refused.',
  }),
  group_claim: oneLine(100, 'The claim that names the groups of a user.', 1),
  roles: Type.Array(GroupRole, { minItems: 1, maxItems: 50, description: 'Which group has which role.' }),
  required: Type.Boolean({
    description: 'Whether members can sign in there only. Owners keep their way in with a passkey.',
  }),
};

const SsoSettings = named(
  'SsoSettings',
  {
    settings: nullable(named('SsoFields', fields, 'The settings.')),
    sign_in_url: Type.String({ description: 'The page on which members begin to sign in.' }),
    redirect_url: Type.String({ description: 'The address to register at the provider.' }),
  },
  'Single sign-on of the company.',
);
export type SsoSettings = Static<typeof SsoSettings>;

export const ssoEndpoints = {
  getSso: dashboardEndpoint({
    name: 'get_sso',
    scope: 'company',
    role: 'owner',
    method: 'GET',
    path: SSO,
    summary: 'Single sign-on of the company, by OpenID Connect.',
    response: { status: 200, description: 'The settings, never with the secret.', schema: SsoSettings },
    errors: [],
  }),
  putSso: dashboardEndpoint({
    name: 'put_sso',
    scope: 'company',
    role: 'owner',
    method: 'PUT',
    path: SSO,
    summary: 'Set single sign-on up, or change it. Members who came by it sign in again.',
    body: named(
      'PutSso',
      {
        ...fields,
        client_secret: Type.Optional(
          oneLine(1_000, 'The secret of the client; omitted keeps the one that is saved.', 1),
        ),
      },
      'The settings.',
    ),
    response: { status: 200, description: 'The settings.', schema: SsoSettings },
    errors: ['passkey_required'],
    confirms: 'always',
  }),
  deleteSso: dashboardEndpoint({
    name: 'delete_sso',
    scope: 'company',
    role: 'owner',
    method: 'DELETE',
    path: SSO,
    summary: 'Turn single sign-on off. Members who came by it are out.',
    response: { status: 204, description: 'Turned off.' },
    errors: [],
    confirms: 'always',
  }),
  beginSso: dashboardEndpoint({
    name: 'begin_sso',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/sso/begin',
    summary: 'Where the browser goes to sign in at the company’s provider.',
    body: named('BeginSso', { company_id: opaqueId('cmp', 'The company.') }, 'The company.'),
    response: {
      status: 200,
      description: 'The address.',
      schema: named('SsoBegun', { url: Type.String({ description: 'An address of the provider.' }) }, 'Where to go.'),
    },
    errors: ['sso_failed', 'unavailable', 'rate_limited'],
  }),
  finishSso: dashboardEndpoint({
    name: 'finish_sso',
    scope: 'public',
    method: 'POST',
    path: '/dashboard/api/sso/finish',
    summary: 'Sign in with what the provider gave the browser. It works once, in the browser that began.',
    body: named(
      'FinishSso',
      {
        company_id: opaqueId('cmp', 'The company, by the address that it came back to.'),
        state: oneLine(100, 'As it came back.', 1),
        code: oneLine(4_096, 'As it came back.', 1),
        iss: Type.Optional(oneLine(2_083, 'As it came back.', 1)),
      },
      'What came back.',
    ),
    response: { status: 200, description: 'Signed in; the cookie and the token are new.', schema: SessionState },
    errors: ['sso_failed', 'rate_limited'],
  }),
};
