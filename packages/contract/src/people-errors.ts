/** About studio members, how they prove who they are, and what they may do before they have. */
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
} as const;
