import type { AccountWords } from './user-mail-words.ts';

export const de: AccountWords = {
  roles: { owner: 'Inhaber', developer: 'Entwickler', support: 'Support', viewer: 'Betrachter' },
  mails: {
    invitation: {
      subject: 'Einladung zu einem Coinslot-Dashboard',
      heading: 'Du bist eingeladen',
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
    emailToVerify: {
      subject: 'Bestätige deine E-Mail-Adresse für Coinslot',
      heading: 'E-Mail-Adresse bestätigen',
      text: 'Mit dieser Adresse wurde ein Konto bei Coinslot angelegt. Bestätige sie, um andere einzuladen und Belege echter Zahlungen zu verschicken.',
      action: 'Adresse bestätigen',
      closing:
        'Der Link kann einmal verwendet werden und läuft in 24 Stunden ab. Wenn du dieses Konto nicht angelegt hast, ignoriere diese E-Mail oder setze das Passwort zurück, um es zu übernehmen.',
    },
    addressInUse: {
      subject: 'Deine E-Mail-Adresse wurde bei Coinslot eingegeben',
      heading: 'Du hast bereits ein Konto',
      text: 'Deine E-Mail-Adresse wurde für ein neues Konto oder als neue Adresse eines anderen Kontos eingegeben. Du hast bereits ein Konto, deshalb wurde nichts geändert.',
      closing:
        'Melde dich wie immer an, oder setze dein Passwort zurück, wenn du es vergessen hast. Wenn du das nicht warst, musst du nichts tun.',
    },
    newBrowser: {
      subject: 'Neue Anmeldung bei deinem Coinslot-Konto',
      heading: 'Anmeldung mit einem neuen Browser',
      text: 'Am {time} hat sich ein bisher unbekannter Browser bei deinem Konto angemeldet ({browser}, Adresse {ip}).',
      closing: 'Wenn du das nicht warst, setze dein Passwort sofort zurück: Das beendet alle Sitzungen.',
    },
    securityNotice: {
      subject: 'Eine Sicherheitseinstellung bei Coinslot wurde geändert',
      heading: '{what}',
      text: 'Durch {actor} am {time} von der Adresse {ip}.',
      closing:
        'Du bekommst diese Nachricht als Inhaber der Firma. Wenn das nicht gewollt war, entferne das Mitglied und ersetze die Schlüssel.',
    },
    passkeyAdded: {
      subject: 'Deinem Coinslot-Konto wurde ein Passkey hinzugefügt',
      heading: 'Ein Passkey wurde hinzugefügt',
      text: 'Ab sofort kannst du dich mit einem weiteren Passkey bei Coinslot anmelden.',
      closing: 'Wenn du das nicht warst, setze dein Passwort sofort zurück und entferne den Passkey in deinem Profil.',
    },
    passkeyRemoved: {
      subject: 'Ein Passkey deines Coinslot-Kontos wurde entfernt',
      heading: 'Ein Passkey wurde entfernt',
      text: 'Ein Passkey kann nicht mehr für die Anmeldung bei deinem Coinslot-Konto verwendet werden.',
      closing: 'Wenn du das nicht warst, setze dein Passwort sofort zurück.',
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
