import { email, givenTime, named, nullable, oneLine, oneOf, opaqueId, page, paging, time, webUrl } from '../shape.ts';
import { type Static, type TOptional, Type } from '../type.ts';
import { dashboardEndpoint, ROLES } from './dashboard-endpoint.ts';

const COMPANY = '/dashboard/api/companies/{company_id}';

export const Member = named(
  'Member',
  {
    user_id: opaqueId('usr', 'The user.'),
    email: Type.String({ description: 'Email address.' }),
    name: Type.String({ description: 'Name; empty when none was given.' }),
    role: oneOf(ROLES, 'What the member may do.'),
    is_you: Type.Boolean({ description: 'Whether it is the caller.' }),
    totp_enabled: Type.Boolean({ description: 'Whether sign-in asks for a code from an app.' }),
    passkeys: Type.Integer({ description: 'How many passkeys the user has.' }),
    last_seen_at: nullable(time('When the user last used the dashboard; null when no session is left.')),
    created_at: time('When the user joined.'),
  },
  'A member of the company.',
);
export type Member = Static<typeof Member>;

export const Invitation = named(
  'Invitation',
  {
    id: opaqueId('inv', 'The invitation.'),
    email: Type.String({ description: 'Email address of the invited user.' }),
    role: oneOf(ROLES, 'Role of the new member.'),
    invited_by: Type.String({ description: 'The member who sent the invitation.' }),
    url: nullable(
      Type.String({
        description:
          'The link of the mail: in the answer that sends it, in the first company of an installation that sends no mail.',
      }),
    ),
    is_expired: Type.Boolean({ description: 'Whether it has expired. An expired invitation can be sent again.' }),
    sent_at: time('When the mail was last sent.'),
    expires_at: time('When it expires.'),
    created_at: time('When it was created.'),
  },
  'A pending invitation.',
);
export type Invitation = Static<typeof Invitation>;

export const AuditLine = named(
  'AuditLine',
  {
    id: opaqueId('aud', 'The entry.'),
    actor: Type.String({ description: 'Email address of the actor at that time.' }),
    user_id: nullable(opaqueId('usr', 'The user who did it.')),
    kind: Type.String({ description: 'The object and what happened to it.', examples: ['webhook.created'] }),
    object_id: nullable(Type.String({ description: 'The object that was changed.' })),
    game_id: nullable(Type.String({ description: 'The game, if the change was about one.' })),
    mode: nullable(Type.String({ description: 'live or sandbox, if the change was about one.' })),
    before: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    after: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
    ip: nullable(Type.String({ description: 'IP address of the request.' })),
    created_at: time('When.'),
  },
  'An entry of the audit log.',
);
export type AuditLine = Static<typeof AuditLine>;

const GameAdded = named(
  'GameAdded',
  {
    id: opaqueId('game', 'The game.'),
    name: Type.String({ description: 'Its name.' }),
    store: Type.String({ description: 'The store that its link points to.' }),
    app_id: Type.String({ description: 'The app in the store.' }),
  },
  'A game that was just added. Its keys are under Integration.',
);

const CompanyGame = named(
  'CompanyGame',
  {
    id: opaqueId('game', 'The game.'),
    name: Type.String({ description: 'Its name.' }),
    icon_url: nullable(Type.String({ description: 'Icon of the game.' })),
    store: Type.String({ description: 'The store that its link points to.' }),
    store_label: Type.String({ description: 'Name of the store.' }),
    store_url: Type.String({ description: 'Its page in the store.' }),
    created_at: time('When it was added.'),
  },
  'One of the company’s games.',
);
export type CompanyGame = Static<typeof CompanyGame>;

const sellerFields = {
  legal_name: nullable(oneLine(255, 'Full name of the company that sells; null uses the company’s name.')),
  address: nullable(oneLine(500, 'Postal address, in one line.')),
  country: nullable(
    Type.String({ format: 'country', description: 'ISO 3166-1 code in upper case.', examples: ['DE'] }),
  ),
  registration_number: nullable(oneLine(100, 'Number in the register of companies.')),
  tax_number: nullable(oneLine(100, 'Number for sales tax or VAT.')),
  support: nullable(oneLine(2_083, 'Email address or https link where players get help.')),
  terms_url: nullable(webUrl('Link to the terms of sale.')),
  privacy_url: nullable(webUrl('Link to the privacy policy.')),
  refund_url: nullable(webUrl('Link to the refund policy.')),
};

const optionalSellerFields = Object.fromEntries(
  Object.entries(sellerFields).map(([name, schema]) => [name, Type.Optional(schema)]),
) as { [Name in keyof typeof sellerFields]: TOptional<(typeof sellerFields)[Name]> };

export const Seller = named(
  'Seller',
  sellerFields,
  'Who sells. The payment page and every receipt show name, support and links; null is not shown.',
);
export type Seller = Static<typeof Seller>;

const CompanyProfile = named(
  'CompanyProfile',
  {
    id: opaqueId('cmp', 'The company.'),
    name: Type.String({ description: 'Its name.' }),
    requires_second_factor: Type.Boolean({ description: 'Whether members need a passkey or an authenticator app.' }),
    seller: Seller,
    games: Type.Array(CompanyGame),
    created_at: time('When it was created.'),
  },
  'A company.',
);

const ReceiptSettings = named(
  'ReceiptSettings',
  {
    sender_name: nullable(Type.String({ description: 'Sender name of receipts; null uses the game’s name.' })),
    reply_to: nullable(Type.String({ description: 'Reply-to address of receipts; null for none.' })),
  },
  'Sender settings of receipts.',
);

const memberParams = Type.Object({ user_id: opaqueId('usr', 'The member.') });
const invitationParams = Type.Object({ invitation_id: opaqueId('inv', 'The invitation.') });

const listOf = <S extends Parameters<typeof Type.Array>[0]>(title: string, item: S) =>
  named(title, { data: Type.Array(item) }, 'The complete list.');

export const companyEndpoints = {
  getCompany: dashboardEndpoint({
    name: 'get_company',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: COMPANY,
    summary: 'The company and its games.',
    response: { status: 200, description: 'The company.', schema: CompanyProfile },
    errors: [],
  }),
  patchCompany: dashboardEndpoint({
    name: 'patch_company',
    scope: 'company',
    role: 'owner',
    method: 'PATCH',
    path: COMPANY,
    summary: 'Rename the company, or ask its members for a second factor. Omitted fields stay as they are.',
    body: named(
      'PatchCompany',
      {
        name: Type.Optional(oneLine(255, 'Its name.', 1)),
        requires_second_factor: Type.Optional(
          Type.Boolean({ description: 'Whether members without a second factor see only how to add one.' }),
        ),
      },
      'Fields to change.',
    ),
    response: { status: 200, description: 'The company.', schema: CompanyProfile },
    errors: [],
    confirms: { fields: ['requires_second_factor'] },
  }),
  patchSeller: dashboardEndpoint({
    name: 'patch_seller',
    scope: 'company',
    role: 'developer',
    method: 'PATCH',
    path: `${COMPANY}/seller`,
    summary:
      'Change what page and receipts say about the seller; null removes a field, omitted fields stay as they are.',
    body: named('PatchSeller', optionalSellerFields, 'Fields to change.'),
    response: { status: 200, description: 'The seller.', schema: Seller },
    errors: [],
    confirms: 'always',
  }),
  addGame: dashboardEndpoint({
    name: 'add_game',
    scope: 'company',
    role: 'developer',
    method: 'POST',
    path: `${COMPANY}/games`,
    summary: 'Add a game by its store link, with two environments and a key for each.',
    body: named(
      'AddGame',
      {
        game_url: Type.String({ maxLength: 2_083, description: 'Store link of a published mobile game.' }),
        game_name: Type.Optional(
          Type.String({ maxLength: 1_000, description: 'Name; may be omitted when the link has one.' }),
        ),
      },
      'The game.',
    ),
    response: { status: 201, description: 'Added.', schema: GameAdded },
    errors: ['game_exists'],
  }),
  changeGameLink: dashboardEndpoint({
    name: 'change_game_link',
    scope: 'company',
    role: 'developer',
    method: 'PATCH',
    path: `${COMPANY}/games/{game_id}`,
    summary:
      'Change a game’s store link, for example after a move to another store. Name and icon are part of its appearance.',
    params: Type.Object({ game_id: opaqueId('game', 'The game.') }),
    body: named(
      'ChangeGameLink',
      { game_url: Type.String({ maxLength: 2_083, description: 'Store link of a published mobile game.' }) },
      'The new link.',
    ),
    response: { status: 200, description: 'The game.', schema: CompanyGame },
    errors: ['game_not_found', 'game_exists'],
  }),
  listMembers: dashboardEndpoint({
    name: 'list_members',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: `${COMPANY}/members`,
    summary: 'The team, oldest member first.',
    response: { status: 200, description: 'Members.', schema: listOf('MemberList', Member) },
    errors: [],
  }),
  changeRole: dashboardEndpoint({
    name: 'change_role',
    scope: 'company',
    role: 'owner',
    method: 'PATCH',
    path: `${COMPANY}/members/{user_id}`,
    summary: 'Change a member’s role.',
    params: memberParams,
    body: named('ChangeRole', { role: oneOf(ROLES, 'The new role.') }, 'The new role.'),
    response: { status: 200, description: 'The member.', schema: Member },
    errors: ['member_not_found', 'last_owner', 'email_unverified'],
    confirms: 'always',
  }),
  removeMember: dashboardEndpoint({
    name: 'remove_member',
    scope: 'company',
    role: 'owner',
    method: 'DELETE',
    path: `${COMPANY}/members/{user_id}`,
    summary: 'Remove a member from the company.',
    params: memberParams,
    response: { status: 204, description: 'Removed.' },
    errors: ['member_not_found', 'last_owner'],
    confirms: 'always',
  }),
  endMemberSessions: dashboardEndpoint({
    name: 'end_member_sessions',
    scope: 'company',
    role: 'owner',
    method: 'DELETE',
    path: `${COMPANY}/members/{user_id}/sessions`,
    summary:
      'End a member’s sessions in the company: they open it again only once the member has given a password or a passkey again.',
    params: memberParams,
    response: { status: 204, description: 'Ended.' },
    errors: ['member_not_found'],
    confirms: 'always',
  }),
  listInvitations: dashboardEndpoint({
    name: 'list_invitations',
    scope: 'company',
    role: 'owner',
    method: 'GET',
    path: `${COMPANY}/invitations`,
    summary: 'Pending invitations, newest first.',
    response: { status: 200, description: 'Invitations.', schema: listOf('InvitationList', Invitation) },
    errors: [],
  }),
  invite: dashboardEndpoint({
    name: 'invite',
    scope: 'company',
    role: 'owner',
    method: 'POST',
    path: `${COMPANY}/invitations`,
    summary: 'Invite a user by email. Replaces an earlier invitation to the same address.',
    body: named('Invite', { email: email('Email address.'), role: oneOf(ROLES, 'Role.') }, 'The invitation.'),
    response: { status: 201, description: 'Invited.', schema: Invitation },
    errors: ['already_member', 'email_unverified', 'confirmation_required', 'rate_limited'],
  }),
  resendInvitation: dashboardEndpoint({
    name: 'resend_invitation',
    scope: 'company',
    role: 'owner',
    method: 'POST',
    path: `${COMPANY}/invitations/{invitation_id}/resend`,
    summary: 'Send the invitation again with a new link that is valid for seven days. The old link stops working.',
    params: invitationParams,
    response: { status: 200, description: 'Sent again.', schema: Invitation },
    errors: ['invitation_not_found', 'email_unverified', 'confirmation_required', 'rate_limited'],
  }),
  revokeInvitation: dashboardEndpoint({
    name: 'revoke_invitation',
    scope: 'company',
    role: 'owner',
    method: 'DELETE',
    path: `${COMPANY}/invitations/{invitation_id}`,
    summary: 'Withdraw an invitation.',
    params: invitationParams,
    response: { status: 204, description: 'Withdrawn.' },
    errors: ['invitation_not_found'],
  }),
  listAudit: dashboardEndpoint({
    name: 'list_audit',
    scope: 'company',
    role: 'developer',
    method: 'GET',
    path: `${COMPANY}/audit`,
    summary: 'The audit log, newest first.',
    query: Type.Object({
      ...paging,
      user_id: Type.Optional(opaqueId('usr', 'Only changes by this user.')),
      kind: Type.Optional(oneLine(100, 'Only this kind, such as `webhook.created`, or all of an object: `webhook`.')),
      created_from: Type.Optional(givenTime('Only at this time or later.')),
      created_to: Type.Optional(givenTime('Only before this time.')),
    }),
    response: { status: 200, description: 'One page.', schema: page('AuditPage', AuditLine) },
    errors: [],
  }),
  getReceiptSettings: dashboardEndpoint({
    name: 'get_receipt_settings',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: `${COMPANY}/receipts`,
    summary: 'Sender settings of receipts.',
    response: { status: 200, description: 'Settings.', schema: ReceiptSettings },
    errors: [],
  }),
  patchReceiptSettings: dashboardEndpoint({
    name: 'patch_receipt_settings',
    scope: 'company',
    role: 'developer',
    method: 'PATCH',
    path: `${COMPANY}/receipts`,
    summary: 'Change the sender name or the reply-to address; null removes one, and omitted fields stay as they are.',
    body: named(
      'PatchReceiptSettings',
      {
        sender_name: Type.Optional(nullable(oneLine(100, 'Sender name.'))),
        reply_to: Type.Optional(nullable(email('Reply-to address.'))),
      },
      'Fields to change.',
    ),
    response: { status: 200, description: 'Settings.', schema: ReceiptSettings },
    errors: [],
    confirms: 'always',
  }),
};
