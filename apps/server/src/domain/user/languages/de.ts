import type { AccountWords } from './user-mail-words.ts';

export const de: AccountWords = {
  roles: { owner: 'Inhaber', developer: 'Entwickler', support: 'Support', viewer: 'Betrachter' },
  mails: {
    invitation: {
      subject: '{company} auf Coinslot beitreten',
      heading: '{company} beitreten',
      text: '{inviter} lädt dich als {role} in das Coinslot-Dashboard von {company} ein.',
      action: 'Einladung ansehen',
      closing:
        'Der Link gilt einmal und sieben Tage lang. Kennst du den Absender nicht, dann tu nichts: es geschieht nichts.',
    },
    passwordReset: {
      subject: 'Neues Passwort für Coinslot setzen',
      heading: 'Neues Passwort setzen',
      text: 'Jemand, hoffentlich du, möchte ein neues Passwort für das Coinslot-Dashboard setzen.',
      action: 'Neues Passwort setzen',
      closing: 'Der Link gilt einmal und eine Stunde lang. Warst du es nicht, dann tu nichts: es ändert sich nichts.',
    },
    passwordChanged: {
      subject: 'Dein Coinslot-Passwort wurde geändert',
      heading: 'Dein Passwort wurde geändert',
      text: 'Das Passwort deines Coinslot-Kontos wurde geändert, und andere Sitzungen wurden beendet.',
      closing: 'Warst du es nicht, dann setze sofort ein neues Passwort und sag einem Inhaber deiner Firma Bescheid.',
    },
    emailToConfirm: {
      subject: 'Bestätige deine neue E-Mail-Adresse für Coinslot',
      heading: 'Neue Adresse bestätigen',
      text: '{email} möchte sich ab jetzt mit dieser Adresse bei Coinslot anmelden.',
      action: 'Diese Adresse verwenden',
      closing: 'Der Link gilt einmal und einen Tag lang. Sagt dir das nichts, dann tu nichts: es ändert sich nichts.',
    },
    emailChanged: {
      subject: 'Deine E-Mail-Adresse bei Coinslot wurde geändert',
      heading: 'Deine E-Mail-Adresse wurde geändert',
      text: 'Du meldest dich bei Coinslot jetzt mit {email} an.',
      closing: 'Warst du es nicht, dann sag sofort einem Inhaber deiner Firma Bescheid.',
    },
    totpOn: {
      subject: 'Zwei-Schritt-Anmeldung ist an',
      heading: 'Zwei-Schritt-Anmeldung ist an',
      text: 'Die Anmeldung bei deinem Coinslot-Konto fragt jetzt auch nach einem Code deiner App.',
      closing: 'Warst du es nicht, dann setze sofort ein neues Passwort.',
    },
    totpOff: {
      subject: 'Zwei-Schritt-Anmeldung ist aus',
      heading: 'Zwei-Schritt-Anmeldung ist aus',
      text: 'Die Anmeldung bei deinem Coinslot-Konto fragt nicht mehr nach einem Code deiner App.',
      closing: 'Warst du es nicht, dann setze sofort ein neues Passwort.',
    },
  },
};
