import type { AccountWords } from './user-mail-words.ts';

export const en: AccountWords = {
  roles: { owner: 'owner', developer: 'developer', support: 'support', viewer: 'viewer' },
  mails: {
    invitation: {
      subject: 'Join {company} on Coinslot',
      heading: 'Join {company}',
      text: '{inviter} invites you to the Coinslot dashboard of {company} as {role}.',
      action: 'See the invitation',
      closing: 'The link works once, for seven days. If you do not know the sender, leave it: nothing happens.',
    },
    passwordReset: {
      subject: 'Set a new password for Coinslot',
      heading: 'Set a new password',
      text: 'Somebody, hopefully you, asked to set a new password for the Coinslot dashboard.',
      action: 'Set a new password',
      closing: 'The link works once, for one hour. If you did not ask for it, leave it: nothing changes.',
    },
    passwordChanged: {
      subject: 'Your Coinslot password was changed',
      heading: 'Your password was changed',
      text: 'The password of your Coinslot account was changed, and other sessions were ended.',
      closing: 'If it was not you, set a new password at once and tell an owner of your company.',
    },
    emailToConfirm: {
      subject: 'Confirm your new e-mail address for Coinslot',
      heading: 'Confirm your new address',
      text: '{email} wants to sign in to Coinslot with this address from now on.',
      action: 'Use this address',
      closing: 'The link works once, for one day. If you do not know what this is, leave it: nothing changes.',
    },
    emailChanged: {
      subject: 'Your Coinslot e-mail address was changed',
      heading: 'Your e-mail address was changed',
      text: 'You now sign in to Coinslot with {email}.',
      closing: 'If it was not you, tell an owner of your company at once.',
    },
    totpOn: {
      subject: 'Two-step sign-in is on',
      heading: 'Two-step sign-in is on',
      text: 'Signing in to your Coinslot account now asks for a code of your app.',
      closing: 'If it was not you, set a new password at once.',
    },
    totpOff: {
      subject: 'Two-step sign-in is off',
      heading: 'Two-step sign-in is off',
      text: 'Signing in to your Coinslot account no longer asks for a code of your app.',
      closing: 'If it was not you, set a new password at once.',
    },
  },
};
