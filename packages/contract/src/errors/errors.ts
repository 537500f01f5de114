import { PEOPLE_ERRORS } from './people-errors.ts';
import { PROVIDER_ERRORS } from './provider-errors.ts';

interface ErrorDescription {
  status: number;
  title: string;
  description: string;
  whatToDo: string;
}

const wrongRequest = {
  invalid_request: {
    status: 400,
    title: 'The request is malformed',
    description: 'The request line, the URL or a header is not valid HTTP.',
    whatToDo: 'See `detail`. Percent-encode the path and query, and send well-formed headers.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not valid JSON',
    description:
      'The body is not one JSON value in UTF-8 (RFC 8259), or it contains something Coinslot rejects: a duplicate key, a `__proto__` key, a NUL character, half of a surrogate pair, or more than 32 levels of nesting.',
    whatToDo: '`detail` says where. Build the body with a JSON library instead of joining strings.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    description: 'The headers or the body did not arrive in time.',
    whatToDo: 'Send the request again, with its Idempotency-Key if it creates an order.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    description: 'A request body can be at most 256 KiB.',
    whatToDo: 'Send fewer items or shorter texts.',
  },
  uri_too_long: {
    status: 414,
    title: 'The URL is too long',
    description: 'A part of the path is longer than any id can be.',
    whatToDo: 'Check the id or sku in the path.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body must be JSON',
    description:
      'Requests with a body must have `Content-Type: application/json` (charset utf-8 or none, no content encoding).',
    whatToDo: 'Set the header and send plain JSON.',
  },
  validation_failed: {
    status: 422,
    title: 'Some fields are wrong',
    description: 'The request is well-formed, but some fields are invalid. `errors` lists all of them at once.',
    whatToDo: 'Fix every field listed in `errors`, then send the request again.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    description: 'All headers together can be at most 16 KiB.',
    whatToDo: 'Send fewer or shorter headers.',
  },
} as const satisfies Record<string, ErrorDescription>;

const accessRefused = {
  unauthorized: {
    status: 401,
    title: 'No valid key',
    description: 'The request has no `Authorization: Bearer <S2S_KEY>`, or the key is unknown or revoked.',
    whatToDo: 'Send the S2S key of the environment you mean. Sandbox and live have different keys.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    description: 'The caller is authenticated, but not allowed to do this.',
    whatToDo: 'Ask an owner of the company for the role you need.',
  },
  sign_in_required: {
    status: 401,
    title: 'Not signed in',
    description: 'There is no dashboard session, or it has ended.',
    whatToDo: 'Sign in again.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Wrong email address or password',
    description: 'No user has this email address and password.',
    whatToDo: 'Check both, or reset the password.',
  },
  totp_required: {
    status: 401,
    title: 'A code is needed',
    description: 'The password is right. This user also signs in with a code from the authenticator app.',
    whatToDo: 'Send the same request again with `code`: six digits from the app, or a recovery code.',
  },
  totp_invalid: {
    status: 403,
    title: 'The code is wrong',
    description: 'The code is wrong, too old, or was used already.',
    whatToDo: 'Wait for the next code in the app, and check the clock on the phone.',
  },
  password_wrong: {
    status: 403,
    title: 'The password is wrong',
    description: 'This step asks for the password again, and the one sent is wrong.',
    whatToDo: 'Try again, or reset the password.',
  },
  csrf_failed: {
    status: 403,
    title: 'The request did not come from the dashboard',
    description:
      'The header `x-csrf-token` is missing or belongs to another session, or the request came from another origin.',
    whatToDo: 'Load the page again.',
  },
  role_too_low: {
    status: 403,
    title: 'Your role does not allow this',
    description: 'The member’s role does not allow this. `detail` names the role that does.',
    whatToDo: 'Ask an owner of the company.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    description: 'The key or the client address has used up its requests for now.',
    whatToDo: 'Wait as long as `Retry-After` says. The `RateLimit-…` headers on every response show how much is left.',
  },
} as const satisfies Record<string, ErrorDescription>;

const notThere = (what: string) => ({
  status: 404 as const,
  title: `No such ${what}`,
  description: `There is no ${what} with this id in the key’s environment. A ${what} in another environment or company gets the same response.`,
  whatToDo: 'Check the id, and that the key belongs to the same environment (sandbox or live).',
});

const notYours = (what: string) => ({
  status: 404 as const,
  title: `No such ${what}`,
  description: `There is no ${what} with this id that you may see.`,
  whatToDo: 'Go back to the list, and check that you are signed in as the right user.',
});

const absent = {
  not_found: {
    status: 404,
    title: 'No such page',
    description: 'Nothing answers at this path.',
    whatToDo: 'Check the path against the API reference. Calls from game backends start with /s2s/v1.',
  },
  order_not_found: notThere('order'),
  payment_not_found: notThere('payment'),
  item_not_found: notThere('item'),
  player_not_found: notThere('player'),
  webhook_not_found: notThere('webhook subscription'),
  delivery_not_found: notThere('delivery'),
  company_not_found: notYours('company'),
  game_not_found: notYours('game'),
  member_not_found: notYours('member'),
  invitation_not_found: notYours('invitation'),
  key_not_found: notYours('key'),
  session_not_found: notYours('session'),
  difference_not_found: notYours('difference'),
  attention_not_found: {
    status: 404,
    title: 'Nothing there needs attention',
    description: 'What this was about needs no attention now, or is not yours.',
    whatToDo: 'Load the list again.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    description: 'The path exists, but does not support this method. `Allow` lists the methods it supports.',
    whatToDo: 'Use one of the methods in `Allow`.',
  },
} as const satisfies Record<string, ErrorDescription>;

const conflicts = {
  partial_refund_unsupported: {
    status: 422,
    title: 'A refund is always whole',
    description:
      'The request named an amount, or a field that is unknown here and may have meant one. Only the whole amount of an order can be returned; nothing was moved.',
    whatToDo: 'Send `reason` or nothing to return the whole amount.',
  },
  order_wrong_status: {
    status: 409,
    title: 'The order’s status does not allow this',
    description:
      'The order’s status does not allow this step: for example, only an unpaid order can be canceled, and only a paid one refunded.',
    whatToDo: 'Read the order again; `detail` names its status.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Idempotency-Key used for another body',
    description: 'The same Idempotency-Key was used with a different body in the last 24 hours.',
    whatToDo: 'Use a new key for a new order, and the same key only to repeat the same request.',
  },
  item_endpoint_exists: {
    status: 409,
    title: 'Another webhook already receives item events',
    description:
      'Only one enabled subscription per environment can receive `item.add` and `item.remove`; this would be a second.',
    whatToDo: 'Change the existing subscription, or disable it first.',
  },
  too_many_attempts: {
    status: 429,
    title: 'Too many declined payments',
    description:
      'The order, its player or the network address had too many payments declined within an hour. Nothing was charged.',
    whatToDo: 'Wait as long as `Retry-After` says, then pay again.',
  },
  too_many_webhooks: {
    status: 409,
    title: 'Too many webhook subscriptions',
    description: 'An environment can have at most 20 webhook subscriptions.',
    whatToDo: 'Delete one that you no longer use.',
  },
  delivery_not_retryable: {
    status: 409,
    title: 'The delivery cannot be sent again',
    description: 'It was canceled, or its subscription is gone.',
    whatToDo: 'Read the delivery; replay its event to another subscription if you need it.',
  },
  email_taken: {
    status: 409,
    title: 'The email address is already registered',
    description: 'A user with this email address already exists.',
    whatToDo: 'Sign in, or use another address.',
  },
  item_exists: {
    status: 409,
    title: 'The item already exists',
    description: 'The catalog already has an item with this sku.',
    whatToDo: 'Open the item and change it, or choose another sku.',
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    description: 'The user is already a member of the company.',
    whatToDo: 'Change the member’s role instead.',
  },
  last_owner: {
    status: 409,
    title: 'A company needs an owner',
    description: 'A company must have at least one owner, and this is the last one.',
    whatToDo: 'Make another member an owner first.',
  },
  last_key: {
    status: 409,
    title: 'An environment needs a key',
    description: 'An environment must have at least one S2S key.',
    whatToDo: 'Create a second key, give it to the game backend, then revoke this one.',
  },
  key_signs_webhooks: {
    status: 409,
    title: 'Webhooks are signed with this key',
    description: 'Webhooks without their own secret are signed with the oldest key, which is this one.',
    whatToDo:
      'Give the receiver the key that will sign from now on, and send the request again with `confirm_signing: true`.',
  },
  too_many_keys: {
    status: 409,
    title: 'Too many keys',
    description: 'An environment can have at most 10 active S2S keys.',
    whatToDo: 'Revoke one that is no longer in use.',
  },
  game_exists: {
    status: 409,
    title: 'The company already has this game',
    description: 'The company already has a game with this store link.',
    whatToDo: 'Select it in the game switcher.',
  },
  totp_wrong_state: {
    status: 409,
    title: 'Two-step sign-in is not in the right state',
    description: 'It is already on, already off, or its setup was not started.',
    whatToDo: 'Read the profile again.',
  },
  link_invalid: {
    status: 410,
    title: 'The link no longer works',
    description: 'The link was already used, was replaced by a newer one, or has expired.',
    whatToDo: 'Request a new one.',
  },
  events_gone: {
    status: 410,
    title: 'The feed no longer goes on from this cursor',
    description:
      'Events behind the cursor were removed because their time is over (`RETENTION_EVENTS_DAYS`), or the service was restored from a backup that is older than the cursor.',
    whatToDo: 'Read again with `after=start`. Events that you have already are known by their `event_id`.',
  },
  invitation_invalid: {
    status: 410,
    title: 'The invitation no longer works',
    description: 'The invitation was already used, was withdrawn, or is older than seven days.',
    whatToDo: 'Ask the member who invited you to send it again.',
  },
  invitation_not_yours: {
    status: 409,
    title: 'The invitation is for another user',
    description: 'You are signed in with a different email address from the one that was invited.',
    whatToDo: 'Sign out and open the link again.',
  },
} as const satisfies Record<string, ErrorDescription>;

const shopRules = {
  price_unknown: {
    status: 422,
    title: 'The price is unknown',
    description:
      'Neither the order, its items nor the catalog give a price for every item. In live mode there is no default price.',
    whatToDo:
      'Send `price_decimal` and `currency` for the order or its items, or set the price with `PUT /s2s/v1/items/{sku}`.',
  },
} as const satisfies Record<string, ErrorDescription>;

const sandboxRules = {
  sandbox_only: {
    status: 403,
    title: 'Sandbox only',
    description: 'This call is for test payments, test events and local listeners. It does not accept live keys.',
    whatToDo: 'Use the sandbox environment’s S2S key.',
  },
  too_many_listeners: {
    status: 409,
    title: 'Too many listeners',
    description: 'A sandbox can have at most 5 listeners at a time.',
    whatToDo: 'Stop one of the others. A listener whose computer disconnects is removed within seconds.',
  },
  upgrade_required: {
    status: 426,
    title: 'WebSocket required',
    description: 'This path only accepts WebSocket connections.',
    whatToDo: 'Use `coinslot listen` or a WebSocket (version 13) client.',
  },
} as const satisfies Record<string, ErrorDescription>;

const ourFault = {
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    description: 'An error in Coinslot. The operator’s log has the details under the request id.',
    whatToDo: 'Try again. If it keeps happening, send the `request_id` to the operator.',
  },
  unavailable: {
    status: 503,
    title: 'Not available right now',
    description: 'The database cannot be reached or is overloaded, or the server is stopping.',
    whatToDo: 'Try again after `Retry-After` seconds, with the same Idempotency-Key if you create an order.',
  },
} as const satisfies Record<string, ErrorDescription>;

/** Every error that the service can return. Codes are stable, wording may change. */
export const ERRORS = {
  ...wrongRequest,
  ...accessRefused,
  ...absent,
  ...conflicts,
  ...PEOPLE_ERRORS,
  ...PROVIDER_ERRORS,
  ...shopRules,
  ...sandboxRules,
  ...ourFault,
} as const;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
