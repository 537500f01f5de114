/** Errors about disputes, bulk actions and saved views. */
const notYours = (what: string) => ({
  status: 404 as const,
  title: `No such ${what}`,
  description: `There is no ${what} with this id that you may see.`,
  whatToDo: 'Go back to the list, and check that you are signed in as the right user.',
});

export const PURCHASE_ERRORS = {
  dispute_not_found: notYours('dispute'),
  bulk_not_found: notYours('bulk action'),
  dispute_not_answerable: {
    status: 409,
    title: 'The dispute takes no evidence now',
    description: 'The bank has evidence already, has decided, or no longer accepts evidence.',
    whatToDo: 'The detail says which. Read the dispute again: another member may have answered it.',
  },
  bulk_under_way: {
    status: 409,
    title: 'Another bulk action is running',
    description: 'One bulk action runs at a time in each environment.',
    whatToDo: 'Wait until it is done, or stop it.',
  },
  too_many_views: {
    status: 409,
    title: 'There are too many saved views',
    description: 'A member can keep 20 views in each environment.',
    whatToDo: 'Delete one that you no longer need.',
  },
} as const;
