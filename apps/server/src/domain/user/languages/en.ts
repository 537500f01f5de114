import type { AccountWords } from './user-mail-words.ts';

export const en: AccountWords = {
  roles: { owner: 'owner', developer: 'developer', support: 'support', viewer: 'viewer' },
  mails: {
    invitation: {
      subject: 'Join {company} on Coinslot',
      heading: 'Join {company}',
      text: '{inviter} has invited you to the Coinslot dashboard of {company} with the role {role}.',
      action: 'View invitation',
      closing:
        'This link can be used once and expires in seven days. If you don’t know the sender, you can ignore this e-mail.',
    },
    passwordReset: {
      subject: 'Reset your Coinslot password',
      heading: 'Reset your password',
      text: 'We received a request to reset the password of your Coinslot account.',
      action: 'Set a new password',
      closing:
        'This link can be used once and expires in one hour. If you didn’t ask for it, you can ignore this e-mail: your password stays the same.',
    },
    passwordChanged: {
      subject: 'Your Coinslot password was changed',
      heading: 'Your password was changed',
      text: 'The password of your Coinslot account was changed, and you were signed out on other devices.',
      closing: 'If this wasn’t you, reset your password right away and let an owner of your company know.',
    },
    emailToConfirm: {
      subject: 'Confirm your new e-mail address for Coinslot',
      heading: 'Confirm your new e-mail address',
      text: 'Confirm this address to use it instead of {email} when you sign in to Coinslot.',
      action: 'Confirm address',
      closing:
        'This link can be used once and expires in 24 hours. If you didn’t ask for this change, you can ignore this e-mail.',
    },
    emailChanged: {
      subject: 'Your Coinslot e-mail address was changed',
      heading: 'Your e-mail address was changed',
      text: 'From now on you sign in to Coinslot with {email}.',
      closing: 'If this wasn’t you, let an owner of your company know right away.',
    },
    totpOn: {
      subject: 'Two-step sign-in is on',
      heading: 'Two-step sign-in is on',
      text: 'From now on you need a code from your authenticator app to sign in to Coinslot.',
      closing: 'If this wasn’t you, reset your password right away.',
    },
    totpOff: {
      subject: 'Two-step sign-in is off',
      heading: 'Two-step sign-in is off',
      text: 'You no longer need a code from your authenticator app to sign in to Coinslot.',
      closing: 'If this wasn’t you, reset your password right away.',
    },
  },
};
