import type { AccountWords } from './user-mail-words.ts';

export const de: AccountWords = {
  roles: { owner: 'Inhaber', developer: 'Entwickler', support: 'Support', viewer: 'Betrachter' },
  mails: {
    invitation: {
      subject: 'Einladung zu {company} auf Coinslot',
      heading: 'Einladung zu {company}',
      text: '{inviter} hat dich mit der Rolle {role} in das Coinslot-Dashboard von {company} eingeladen.',
      action: 'Einladung ansehen',
      closing:
        'Der Link kann einmal verwendet werden und läuft in sieben Tagen ab. Wenn du den Absender nicht kennst, kannst du diese E-Mail ignorieren.',
    },
    passwordReset: {
      subject: 'Coinslot-Passwort zurücksetzen',
      heading: 'Passwort zurücksetzen',
      text: 'Wir haben eine Anfrage erhalten, das Passwort deines Coinslot-Kontos zurückzusetzen.',
      action: 'Neues Passwort festlegen',
      closing:
        'Der Link kann einmal verwendet werden und läuft in einer Stunde ab. Wenn die Anfrage nicht von dir kommt, kannst du diese E-Mail ignorieren: Dein Passwort bleibt unverändert.',
    },
    passwordChanged: {
      subject: 'Dein Coinslot-Passwort wurde geändert',
      heading: 'Dein Passwort wurde geändert',
      text: 'Das Passwort deines Coinslot-Kontos wurde geändert. Auf anderen Geräten wurdest du abgemeldet.',
      closing: 'Wenn du das nicht warst, setze dein Passwort sofort zurück und informiere einen Inhaber deiner Firma.',
    },
    emailToConfirm: {
      subject: 'Bestätige deine neue E-Mail-Adresse für Coinslot',
      heading: 'Neue E-Mail-Adresse bestätigen',
      text: 'Bestätige diese Adresse, um dich damit statt mit {email} bei Coinslot anzumelden.',
      action: 'Adresse bestätigen',
      closing:
        'Der Link kann einmal verwendet werden und läuft in 24 Stunden ab. Wenn du diese Änderung nicht angefordert hast, kannst du diese E-Mail ignorieren.',
    },
    emailChanged: {
      subject: 'Deine E-Mail-Adresse bei Coinslot wurde geändert',
      heading: 'Deine E-Mail-Adresse wurde geändert',
      text: 'Ab sofort meldest du dich bei Coinslot mit {email} an.',
      closing: 'Wenn du das nicht warst, informiere sofort einen Inhaber deiner Firma.',
    },
    totpOn: {
      subject: 'Anmeldung in zwei Schritten aktiviert',
      heading: 'Anmeldung in zwei Schritten aktiviert',
      text: 'Ab sofort brauchst du für die Anmeldung bei Coinslot einen Code aus deiner Authenticator-App.',
      closing: 'Wenn du das nicht warst, setze dein Passwort sofort zurück.',
    },
    totpOff: {
      subject: 'Anmeldung in zwei Schritten deaktiviert',
      heading: 'Anmeldung in zwei Schritten deaktiviert',
      text: 'Für die Anmeldung bei Coinslot brauchst du keinen Code aus deiner Authenticator-App mehr.',
      closing: 'Wenn du das nicht warst, setze dein Passwort sofort zurück.',
    },
  },
};
