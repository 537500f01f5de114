/** Errors about studio members and their identity and permissions. */
export const PEOPLE_ERRORS = {
  registration_closed: {
    status: 403,
    title: 'Registration is closed',
    description: 'The operator of this installation lets no strangers register.',
    whatToDo: 'Ask the operator for an invitation, or register on their machine with the command `setup`.',
  },
  email_unverified: {
    status: 403,
    title: 'The email address is not confirmed',
    description: 'What sends mail to others, and the role of an owner, need an address that was confirmed by its link.',
    whatToDo: 'Open the link in the mail, or have it sent again from the profile.',
  },
  already_verified: {
    status: 409,
    title: 'The email address is confirmed already',
    description: 'There is nothing left to confirm.',
    whatToDo: 'Nothing.',
  },
  exam_running: {
    status: 409,
    title: 'An exam is under way',
    description: 'A company can examine one webhook receiver at a time.',
    whatToDo: 'Wait until the exam has ended, which takes three minutes at most, then start the next one.',
  },
  exam_not_found: {
    status: 404,
    title: 'Exam not found',
    description: 'There is no exam with this id in the environment, or it is no longer kept.',
    whatToDo: 'Check the id. The last 20 exams are kept.',
  },
  view_not_found: {
    status: 404,
    title: 'View not found',
    description: 'You keep no view with this id in the environment.',
    whatToDo: 'Load your views again.',
  },
  confirmation_required: {
    status: 403,
    title: 'Prove who you are again',
    description: 'This step needs the password or a passkey, given within the last 10 minutes.',
    whatToDo: 'Send either to `/dashboard/api/me/confirm`, then send the request again.',
  },
  sso_required: {
    status: 403,
    title: 'The company asks for its single sign-on',
    description: 'Its members sign in at its own identity provider. Owners can also sign in with a passkey.',
    whatToDo: 'Sign in on the company’s sign-in page.',
  },
  sso_failed: {
    status: 403,
    title: 'The single sign-on failed',
    description: 'The identity provider did not confirm the user, or gives them no role here. `detail` says which.',
    whatToDo: 'Begin again, or ask an owner of the company.',
  },
  sso_session: {
    status: 403,
    title: 'Not in a session by single sign-on',
    description: 'A session by single sign-on opens its company, and nothing of the user’s own account.',
    whatToDo: 'Sign in with a password or a passkey.',
  },
  second_factor_required: {
    status: 403,
    title: 'The company asks for a second factor',
    description: 'Its members need a passkey or an authenticator app, and this user has neither.',
    whatToDo: 'Add one in the profile.',
  },
  passkey_required: {
    status: 401,
    title: 'A passkey is needed',
    description: 'The password is right. This user also proves a passkey.',
    whatToDo: 'Sign in with the passkey, or send the same request again with a recovery code in `code`.',
  },
  passkey_invalid: {
    status: 403,
    title: 'The passkey was not accepted',
    description: 'The passkey is unknown here, took too long, or its answer does not fit what was asked.',
    whatToDo: 'Try again, or sign in with the password.',
  },
  passkey_not_found: {
    status: 404,
    title: 'There is no such passkey',
    description: 'The user has no such passkey.',
    whatToDo: 'Read the list again.',
  },
  too_many_passkeys: {
    status: 409,
    title: 'Too many passkeys',
    description: 'A user can have at most 20 passkeys.',
    whatToDo: 'Remove one that is not used any more.',
  },
} as const;
