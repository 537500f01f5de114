import type { AdviceTexts } from './en.ts';

export const de: AdviceTexts = {
  clock_off:
    'Die Uhr dieses Servers geht {seconds} Sekunden anders als die des Anbieters. Lass sie einem Zeitserver (NTP) folgen.',
  provider_key_invalid: 'Der Zahlungsanbieter kennt den geheimen Schlüssel nicht.',
  provider_key_revoked: 'Der geheime Schlüssel wurde beim Zahlungsanbieter widerrufen oder ist abgelaufen.',
  provider_key_wrong_mode:
    'Die Schlüssel gehören zum anderen Modus des Zahlungsanbieters (Test statt Live oder Live statt Test).',
  provider_permission_missing: 'Der geheime Schlüssel ist eingeschränkt und darf das nicht.',
  provider_account_not_active: 'Das Konto beim Zahlungsanbieter darf noch keine Zahlungen annehmen.',
  provider_said: 'Der Anbieter sagt: „{said}“.',
  'provider_key_invalid.fix':
    'Kopiere den geheimen Schlüssel noch einmal vollständig von der Seite der API-Schlüssel beim Anbieter.',
  'provider_key_revoked.fix': 'Erstelle beim Anbieter einen neuen geheimen Schlüssel und speichere ihn hier.',
  'provider_key_wrong_mode.fix': 'Schalte den Anbieter in den Live-Modus und kopiere beide Schlüssel von dort.',
  'provider_permission_missing.fix':
    'Gib dem eingeschränkten Schlüssel die Berechtigungen aus der Anleitung, oder verwende einen geheimen Schlüssel.',
  'provider_account_not_active.fix':
    'Schließe die Aktivierung des Kontos beim Anbieter ab: Es darf noch keine Zahlungen annehmen.',
  keys_mixed: 'Ein Schlüssel ist vom Testmodus, der andere vom Live-Modus. Beide müssen vom selben sein.',
  keys_of_test_mode:
    'Das sind Schlüssel des Testmodus. Live nimmt die Live-Schlüssel; zum Ausprobieren gibt es Sandbox.',
  keys_changed_mode: 'Die Schlüssel sind von einem anderen Modus als beim Speichern. Speichere sie hier noch einmal.',
  callback_secret_missing:
    'Speichere hier das Signaturgeheimnis des Callbacks, oder lass Coinslot den Callback registrieren.',
  callback_not_registered:
    'Registriere den Callback beim Anbieter, oder lass es Coinslot tun. Ohne ihn kommen Nachrichten spät an.',
  callback_events_missing:
    'Der Anbieter sendet {events} nicht. Registriere den Callback beim Anbieter, oder lass es Coinslot tun. Ohne ihn kommen Nachrichten spät an.',
  callback_not_https: 'Anbieter rufen nur eine Adresse auf, die mit https:// beginnt. Setze PUBLIC_URL darauf.',
  callback_answered_by_other:
    'Etwas anderes als Coinslot antwortet unter {url}, von diesem Server aus gefragt. Prüfe PUBLIC_URL, den Proxy und die Firewall.',
  callback_unanswered:
    'Nichts antwortet unter {url}, von diesem Server aus gefragt. Prüfe PUBLIC_URL, den Proxy und die Firewall.',
  price_too_low: '{sku} ({price} von mindestens {least} {currency})',
  prices_too_low: 'Billiger als der Anbieter annimmt: {items}. Erhöhe die Preise.',
  prices_too_low_and_more: 'Billiger als der Anbieter annimmt: {items} und {rest} weitere. Erhöhe die Preise.',
  'stripe.method_off':
    '{method} ist bei Stripe „{status}“, deshalb sehen Spieler es nicht. Schließe es dort ab: Einstellungen → Zahlungsmethoden.',
  'stripe.paypal_country':
    'PayPal über Stripe gibt es nur für Unternehmen im EWR, im Vereinigten Königreich und in der Schweiz: Spieler sehen es hier nicht. Verbinde PayPal selbst, um es anzubieten.',
  'stripe.version':
    'Stripe antwortet in Version {answered}, und dieses Programm wurde für {asked} geschrieben. Aktualisiere Coinslot.',
  'stripe.keys_differ':
    'Der veröffentlichbare Schlüssel gehört zu einem anderen Konto als der geheime. Kopiere beide von derselben Seite bei Stripe.',
  'stripe.domain_off':
    '{wallet} ist bei Stripe für {host} nicht aktiv. Siehe dort Einstellungen → Domains für Zahlungsmethoden.',
  'stripe.may_not_read':
    'Der geheime Schlüssel darf {what} nicht lesen. Erlaube es bei Stripe: Entwickler → API-Schlüssel → der eingeschränkte Schlüssel.',
  'stripe.no_answer_about': 'Stripe hat auf die Frage nach „{what}“ nicht geantwortet. Teste später noch einmal.',
  'stripe.refunds': 'Erstattungen',
  'stripe.disputes': 'Zahlungsanfechtungen',
  'stripe.balance': 'den Saldo',
  'stripe.fraud_warnings': 'frühe Betrugswarnungen',
  'stripe.capabilities': 'die Fähigkeiten des Kontos',
  'stripe.own_payment': 'eine eigene Zahlung',
  'stripe.domains': 'Domains für Zahlungsmethoden',
  'paypal.payments':
    'Die App darf keine Zahlungen annehmen. Schalte bei PayPal „Accept payments“ für sie ein: Apps & Credentials → die App → Features.',
  'paypal.refunds': 'Die App darf nicht erstatten. Schalte bei PayPal „Accept payments“ mit Erstattungen für sie ein.',
  'paypal.transactions':
    'Die App darf keine Transaktionen auflisten, deshalb werden Tage nicht abgeglichen. Schalte bei PayPal „Transaction search“ für sie ein.',
  'paypal.disputes':
    'Die App darf keine Konflikte lesen, deshalb bleibt jeder unklar. Schalte bei PayPal „Customer disputes“ für sie ein.',
  'paypal.evidence':
    'Die App darf auf Konflikte nicht antworten, deshalb müssen Belege bei PayPal eingereicht werden. Schalte dort „Customer disputes“ für sie ein.',
  'paypal.saved_methods':
    'Die App darf PayPal nicht für die nächste Bestellung speichern. Schalte bei PayPal „Save payment methods“ für sie ein; Spieler können auch ohne zahlen.',
  'mollie.settlements':
    'Ein API-Schlüssel darf keine Abrechnungen lesen, deshalb stehen Auszahlungen nicht hier. Verbinde mit einem Zugriffstoken der Organisation, das Guthaben und Abrechnungen lesen darf.',
  'mollie.method_off':
    '{method} ist für dieses Profil bei Mollie nicht aktiv und wird deshalb nicht über Mollie angeboten. Schalte es dort ein: Einstellungen → Zahlungsmethoden.',
  'mollie.wants_address':
    '{method} wird nicht über Mollie angeboten: Es verlangt Namen und Anschrift der zahlenden Person, nach denen Spieler nicht gefragt werden.',
  'mollie.no_answer':
    'Mollie hat auf die Frage nach den Methoden des Profils nicht geantwortet. Teste später noch einmal.',
  'paypal.no_answer':
    'PayPal hat auf die Frage nach den Berechtigungen der App nicht geantwortet. Teste später noch einmal.',
};
