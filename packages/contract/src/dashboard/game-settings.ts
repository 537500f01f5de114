import { currency, LIMITS, named, nullable, oneLine, oneOf, opaqueId, priceDecimal, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { password } from './session.ts';

const ENVIRONMENT = '/dashboard/api/games/{game_id}/{mode}';

export const S2sKey = named(
  'S2sKey',
  {
    id: opaqueId('key', 'The key.'),
    label: Type.String({ description: 'A label for what it is used for; empty when none was given.' }),
    hint: Type.String({ description: 'Prefix and last four characters.', examples: ['sk_live_…3f9a'] }),
    signs_webhooks: Type.Boolean({ description: 'Whether webhooks without their own secret are signed with it.' }),
    created_by: nullable(Type.String({ description: 'Who created it; null for the first key.' })),
    created_at: time('When it was created.'),
    last_used_at: nullable(time('When it was last used, to the minute.')),
    revoked_at: nullable(time('When it was revoked.')),
  },
  'An S2S key, without the key itself.',
);
export type S2sKey = Static<typeof S2sKey>;

const wholeKey = { s2s_key: Type.String({ description: 'The key itself. It allows its holder to create orders.' }) };

export const Appearance = named(
  'Appearance',
  {
    name: Type.String({ description: 'Name of the game, as players see it.' }),
    icon_url: nullable(
      Type.String({ description: "The game's icon: an https address, or the path of one that was uploaded here." }),
    ),
    logo_url: nullable(Type.String({ description: "The studio's logo." })),
    accent_color: nullable(Type.String({ description: 'Accent color, `#rrggbb`.' })),
  },
  'How the payment page looks. The same in sandbox and live.',
);
export type Appearance = Static<typeof Appearance>;

export const GrantRules = named(
  'GrantRules',
  {
    release_grant_after_seconds: nullable(
      Type.Integer({
        description:
          'How long to wait for the game to grant items before the money is released; null means about three days.',
      }),
    ),
    default_price: nullable(
      named(
        'DefaultPrice',
        { price_decimal: Type.Number({ description: 'In major units.' }), currency: Type.String() },
        'Default price of items without one.',
      ),
    ),
  },
  'Grant rules. Only sandbox has a default price.',
);
export type GrantRules = Static<typeof GrantRules>;

export const Checklist = named(
  'Checklist',
  {
    order_created_at: nullable(time('When the first order was created.')),
    order_paid_at: nullable(time('When an order was first authorized or paid.')),
    webhook_added_at: nullable(time('When a webhook for items was added.')),
    item_granted_at: nullable(time('When the game first accepted an item.add.')),
    seller_complete_at: nullable(
      time(
        'Since when the company’s seller has a legal name, support, terms and privacy. The same in both environments.',
      ),
    ),
  },
  'The first steps, each with the time it was completed.',
);
export type Checklist = Static<typeof Checklist>;

/** The states of the checkout page that a studio can preview. */
export const PREVIEW_STATES = ['ready', 'declined', 'waiting', 'done', 'rejected', 'receipt'] as const;
export type PreviewState = (typeof PREVIEW_STATES)[number];

const keyParams = Type.Object({ key_id: opaqueId('key', 'The key.') });
const picture = (description: string) =>
  Type.Optional(nullable(Type.String({ maxLength: LIMITS.urlChars, description })));

export const gameSettingsEndpoints = {
  listKeys: dashboardEndpoint({
    name: 'list_keys',
    scope: 'environment',
    role: 'developer',
    method: 'GET',
    path: `${ENVIRONMENT}/keys`,
    summary: 'The S2S keys of the environment, oldest first.',
    response: { status: 200, description: 'Keys.', schema: named('KeyList', { data: Type.Array(S2sKey) }, 'Keys.') },
    errors: [],
  }),
  createKey: dashboardEndpoint({
    name: 'create_key',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: `${ENVIRONMENT}/keys`,
    confirms: 'always',
    summary: 'Create a key.',
    body: named('CreateKey', { label: Type.Optional(oneLine(100, 'What it is for.')) }, 'The new key.'),
    response: {
      status: 201,
      description: 'Made.',
      schema: named('S2sKeyCreated', { ...S2sKey.properties, ...wholeKey }, 'A key that was just created.'),
    },
    errors: ['too_many_keys'],
  }),
  revealKey: dashboardEndpoint({
    name: 'reveal_key',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: `${ENVIRONMENT}/keys/{key_id}/reveal`,
    summary: 'Show the whole key. Requires the password or a passkey again and is written to the audit log.',
    params: keyParams,
    body: named(
      'RevealKey',
      { password: Type.Optional(password('The user’s password; not needed within 10 minutes of giving it.')) },
      'Confirmation of identity.',
    ),
    response: { status: 200, description: 'The key.', schema: named('S2sKeyRevealed', wholeKey, 'The whole key.') },
    errors: ['key_not_found', 'rate_limited'],
    confirms: 'unless_password',
  }),
  revokeKey: dashboardEndpoint({
    name: 'revoke_key',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: `${ENVIRONMENT}/keys/{key_id}/revoke`,
    summary:
      'Revoke a key; it stops working within seconds. Webhooks that it signed are then signed with the next oldest key.',
    params: keyParams,
    body: named(
      'RevokeKey',
      {
        confirm_signing: Type.Optional(
          Type.Boolean({ description: 'Confirms that the receiver has the key that signs next.' }),
        ),
      },
      'Yes.',
    ),
    bodyOptional: true,
    response: { status: 200, description: 'Revoked.', schema: S2sKey },
    errors: ['key_not_found', 'last_key', 'key_signs_webhooks'],
  }),
  getAppearance: dashboardEndpoint({
    name: 'get_appearance',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: `${ENVIRONMENT}/appearance`,
    summary: 'How the payment page looks.',
    response: { status: 200, description: 'Looks.', schema: Appearance },
    errors: [],
  }),
  patchAppearance: dashboardEndpoint({
    name: 'patch_appearance',
    scope: 'environment',
    role: 'developer',
    method: 'PATCH',
    path: `${ENVIRONMENT}/appearance`,
    summary: 'Change the appearance; null removes an image or the color, and omitted fields stay as they are.',
    body: named(
      'PatchAppearance',
      {
        name: Type.Optional(Type.String({ maxLength: 1_000, description: 'Name of the game.' })),
        icon_url: picture("The game's icon, https."),
        logo_url: picture("The studio's logo, https."),
        accent_color: Type.Optional(nullable(Type.String({ maxLength: 20, description: '`#rrggbb` or `#rgb`.' }))),
      },
      'Fields to change.',
    ),
    response: { status: 200, description: 'Looks.', schema: Appearance },
    errors: [],
  }),
  putIcon: dashboardEndpoint({
    name: 'put_icon',
    scope: 'environment',
    role: 'developer',
    method: 'PUT',
    path: `${ENVIRONMENT}/appearance/icon`,
    summary:
      'Upload the game’s icon in place of an address. Only its pixels are kept: the picture is drawn again and served from here. Removed with `icon_url: null`.',
    body: named(
      'PutIcon',
      {
        png_base64: Type.String({
          maxLength: 245_760,
          pattern: '^[A-Za-z0-9+/]+={0,2}$',
          description: 'A square PNG without interlacing, 16 to 256 pixels wide, at most 180 KB, in base64.',
        }),
      },
      'The picture.',
    ),
    response: { status: 200, description: 'Looks.', schema: Appearance },
    errors: [],
  }),
  previewAppearance: dashboardEndpoint({
    name: 'preview_appearance',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: `${ENVIRONMENT}/appearance/preview`,
    summary:
      'The payment page with a sample order, to show in a frame of the dashboard. It runs no script and cannot pay. What is given is shown in place of what is saved; empty text shows none.',
    query: Type.Object({
      state: Type.Optional(oneOf(PREVIEW_STATES, 'Which face of the page; the form when omitted.')),
      theme: Type.Optional(oneOf(['light', 'dark'], 'Light when omitted.')),
      locale: Type.Optional(oneLine(35, 'Language of the player.')),
      name: Type.Optional(Type.String({ maxLength: 1_000, description: 'Name of the game.' })),
      icon_url: Type.Optional(Type.String({ maxLength: LIMITS.urlChars, description: 'Icon.' })),
      logo_url: Type.Optional(Type.String({ maxLength: LIMITS.urlChars, description: 'Logo.' })),
      accent_color: Type.Optional(Type.String({ maxLength: 20, description: 'Accent color.' })),
    }),
    response: { status: 200, description: 'The page.', contentType: 'text/html; charset=utf-8' },
    errors: [],
  }),
  getGrantRules: dashboardEndpoint({
    name: 'get_grant_rules',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: `${ENVIRONMENT}/grant-rules`,
    summary: 'The grant rules.',
    response: { status: 200, description: 'The grant rules.', schema: GrantRules },
    errors: [],
  }),
  patchGrantRules: dashboardEndpoint({
    name: 'patch_grant_rules',
    scope: 'environment',
    role: 'developer',
    method: 'PATCH',
    path: `${ENVIRONMENT}/grant-rules`,
    summary: 'Change the grant rules; omitted fields stay as they are.',
    body: named(
      'PatchGrantRules',
      {
        release_grant_after_seconds: Type.Optional(
          nullable(
            Type.Integer({
              minimum: 60,
              maximum: 259_200,
              description: 'One minute to three days; null for the default.',
            }),
          ),
        ),
        default_price: Type.Optional(
          named(
            'DefaultPriceInput',
            { price_decimal: priceDecimal('In major units.'), currency: currency() },
            'Default price of items without one. Only in sandbox.',
          ),
        ),
      },
      'Fields to change.',
    ),
    response: { status: 200, description: 'The grant rules.', schema: GrantRules },
    errors: [],
    confirms: 'always',
  }),
  getChecklist: dashboardEndpoint({
    name: 'get_checklist',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: `${ENVIRONMENT}/checklist`,
    summary: 'The first steps. Call it for the sandbox environment, where they are taken.',
    response: { status: 200, description: 'Steps.', schema: Checklist },
    errors: [],
  }),
};
