import type { AccountWords } from './user-mail-words.ts';

export const en: AccountWords = {
  roles: { owner: 'owner', developer: 'developer', support: 'support', viewer: 'viewer' },
  mails: {
    invitation: {
      subject: 'Invitation to a Coinslot dashboard',
      heading: 'You are invited',
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
    emailToVerify: {
      subject: 'Confirm your e-mail address for Coinslot',
      heading: 'Confirm your e-mail address',
      text: 'An account at Coinslot was made with this address. Confirm it to invite others and to send receipts of live payments.',
      action: 'Confirm address',
      closing:
        'This link can be used once and expires in 24 hours. If you didn’t make this account, ignore this e-mail, or reset its password to take it over.',
    },
    addressInUse: {
      subject: 'Your e-mail address was entered at Coinslot',
      heading: 'You already have an account',
      text: 'Your e-mail address was entered for a new account or as another account’s new address. You already have an account, so nothing was changed.',
      closing:
        'Sign in as always, or reset your password if you forgot it. If this wasn’t you, you need to do nothing.',
    },
    newBrowser: {
      subject: 'New sign-in to your Coinslot account',
      heading: 'A new browser signed in',
      text: 'Your account was signed in to on {time} from a browser that it has not seen before ({browser}, address {ip}).',
      closing: 'If this wasn’t you, reset your password right away: this ends every session.',
    },
    securityNotice: {
      subject: 'A security setting was changed at Coinslot',
      heading: '{what}',
      text: 'By {actor} on {time} from the address {ip}.',
      closing:
        'You get this message because you are an owner of the company. If this was not meant to happen, remove the member and replace the keys.',
    },
    passkeyAdded: {
      subject: 'A passkey was added to your Coinslot account',
      heading: 'A passkey was added',
      text: 'A passkey can be used to sign in to your Coinslot account from now on.',
      closing: 'If this wasn’t you, reset your password right away and remove the passkey from your profile.',
    },
    passkeyRemoved: {
      subject: 'A passkey was removed from your Coinslot account',
      heading: 'A passkey was removed',
      text: 'A passkey can no longer be used to sign in to your Coinslot account.',
      closing: 'If this wasn’t you, reset your password right away.',
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
