import type { Texts } from './en.ts';

export const de: Texts = {
  pay_amount: '{amount} bezahlen',
  claim: 'Kostenlos abholen',
  working: 'Einen Moment …',
  offline: 'Keine Internetverbindung. Versuche es wieder, sobald sie da ist: Es wird nie zweimal abgebucht.',
  unreachable:
    'Der Shop ist gerade nicht erreichbar. Deine Eingaben sind noch da. Versuche es noch einmal: Es wird nie zweimal abgebucht.',
  total: 'Summe',
  free: 'Kostenlos',
  for_player: 'Für {player}',
  quantity: 'Anzahl',
  old_price: 'Vorher',
  new_price: 'Jetzt',
  time_left: 'Verbleibende Zeit: {time}',
  charged_after_grant: 'Abgebucht wird erst, wenn {game} deine Artikel gutgeschrieben hat.',

  email: 'E-Mail',
  email_optional: 'E-Mail für die Quittung (freiwillig)',
  card_number: 'Kartennummer',
  card_expiry: 'Gültig bis',
  card_expiry_example: 'MM / JJ',
  card_cvc: 'Prüfziffer',
  card_cvc_hint: '3 Ziffern auf der Rückseite',
  card_cvc_hint_amex: '4 Ziffern auf der Vorderseite',
  postal_code: 'Postleitzahl',

  email_required: 'Bitte die E-Mail-Adresse eingeben.',
  email_invalid: 'Das sieht nicht wie eine E-Mail-Adresse aus.',
  card_number_required: 'Bitte die Nummer auf der Karte eingeben.',
  card_number_invalid: 'Die Kartennummer ist unvollständig oder enthält einen Tippfehler.',
  card_expiry_required: 'Bitte das Ablaufdatum eingeben.',
  card_expiry_invalid: 'Monat und Jahr eingeben, etwa 04 / 29.',
  card_expiry_past: 'Diese Karte ist abgelaufen.',
  card_cvc_required: 'Bitte die Prüfziffer eingeben.',
  card_cvc_invalid: 'Drei Ziffern, bei American Express vier.',
  postal_code_required: 'Bitte die Postleitzahl eingeben.',
  postal_code_invalid: 'Diese Postleitzahl ist zu lang.',

  problem_declined:
    'Deine Bank hat die Zahlung abgelehnt. Es wurde nichts abgebucht. Versuche eine andere Karte oder frage deine Bank.',
  problem_insufficient_funds:
    'Auf dieser Karte ist nicht genug Geld. Es wurde nichts abgebucht. Versuche eine andere Karte.',
  problem_card_blocked: 'Diese Karte kann nicht benutzt werden. Es wurde nichts abgebucht. Versuche eine andere Karte.',
  problem_card_expired: 'Diese Karte ist abgelaufen. Es wurde nichts abgebucht. Versuche eine andere Karte.',
  problem_test_cards_only: 'Dies ist eine Sandbox: Sie nimmt nur Testkarten. Wähle eine aus der Liste oben.',
  problem_challenge_failed:
    'Deine Bank konnte nicht bestätigen, dass du es bist. Es wurde nichts abgebucht. Versuche es noch einmal oder nimm eine andere Karte.',
  problem_abandoned:
    'Die letzte Zahlung wurde nicht beendet. Es wurde nichts abgebucht. Du kannst es noch einmal versuchen.',
  problem_check_fields: 'Bitte prüfe die markierten Felder.',

  sandbox: 'Sandbox',
  sandbox_note: 'Es fließt kein echtes Geld.',
  test_cards: 'Testkarten',
  test_cards_note: 'Beliebiges künftiges Ablaufdatum, beliebige Prüfziffer und Postleitzahl.',
  use_card: 'Nehmen',
  outcome_pays: 'Zahlt',
  outcome_declined: 'Abgelehnt',
  outcome_challenge: '3-D Secure',
  outcome_dispute_lost: 'Rückbuchung, verloren',
  outcome_dispute_won: 'Rückbuchung, gewonnen',

  paying_title: 'Zahlung läuft …',
  paying_text: 'Deine Bank wird gefragt. Das dauert ein paar Sekunden.',
  checking_title: 'Wir prüfen deine Zahlung',
  checking_text:
    'Wir kennen das Ergebnis noch nicht und fragen die Bank. Es wird nicht zweimal abgebucht. Du kannst die Seite schließen und später wiederkommen.',
  challenge_title: 'Bestätige, dass du es bist',
  challenge_text:
    'Bei einer echten Zahlung fragt deine Bank hier nach einem Code oder Fingerabdruck. In der Sandbox entscheidest du.',
  challenge_complete: 'Bestätigen',
  challenge_fail: 'Scheitern lassen',
  asking_title: 'Deine Artikel kommen',
  asking_text: 'Die Zahlung ist genehmigt. {game} schreibt dir die Artikel jetzt gut.',
  asking_free_text: '{game} schreibt dir die Artikel jetzt gut.',
  asking_late_text:
    '{game} hat noch nicht geantwortet. Wir fragen weiter. Kann das Spiel deine Artikel nicht gutschreiben, wird nichts abgebucht.',
  asking_late_free_text: '{game} hat noch nicht geantwortet. Wir fragen weiter.',
  may_close: 'Du kannst die Seite schließen und später wiederkommen.',
  may_close_email: 'Du kannst die Seite schließen: Sind die Artikel da, kommt die Quittung per E-Mail.',
  waiting_no_webhook_title: 'Wartet auf das Spiel',
  waiting_no_webhook_text:
    'Die Testzahlung hat geklappt und das Geld ist reserviert. Das Spiel hat noch keinen Webhook für item.add, also kann niemand gefragt werden.',
  waiting_no_webhook_free_text:
    'Die Bestellung ist angenommen. Das Spiel hat noch keinen Webhook für item.add, also kann niemand gefragt werden.',
  waiting_no_webhook_next: 'Lege einen mit POST /s2s/v1/webhooks an, dann geht es hier von selbst weiter.',
  done_title: 'Gehört dir',
  done_text: 'Deine Artikel sind in {game}.',
  done_open: 'Öffnet sich {game} nicht von selbst, nimm den Knopf.',
  done_receipt: 'Die Quittung geht an {email}.',
  already_paid_title: 'Schon bezahlt',
  already_paid_text: 'Diese Bestellung ist bezahlt, und deine Artikel sind in {game}.',
  rejected_title: 'Das Spiel konnte deine Artikel nicht gutschreiben',
  rejected_text: 'Es wurde nichts abgebucht. Zeigt deine Bank einen reservierten Betrag, verschwindet er von selbst.',
  canceled_title: 'Diese Bestellung wurde storniert',
  canceled_text: 'Es wurde nichts abgebucht.',
  expired_title: 'Diese Bestellung ist abgelaufen',
  expired_text: 'Es wurde nichts abgebucht. Beginne im Spiel von vorn.',
  refund_requested_title: 'Erstattung läuft',
  refund_requested_text: 'Deine {amount} sind auf dem Weg zurück.',
  refunded_title: 'Erstattet',
  refunded_text:
    'Deine {amount} gingen auf dem Zahlungsweg zurück. Banken zeigen das manchmal erst nach einigen Tagen.',
  disputed_title: 'Deine Bank prüft diese Zahlung',
  disputed_text: 'Bis deine Bank entschieden hat, geschieht nichts weiter.',
  charged_back_title: 'Deine Bank hat diese Zahlung zurückgeholt',
  charged_back_text: 'Das Geld ging an dich zurück, und die Artikel wurden in {game} wieder entfernt.',
  not_connected_title: 'Hier kann noch nicht bezahlt werden',
  not_connected_provider:
    '{game} hat keinen Zahlungsanbieter verbunden, deshalb nimmt diese Seite kein Geld an. Es wurde nichts abgebucht.',
  not_connected_webhook:
    '{game} kann noch keine Artikel gutschreiben, deshalb nimmt diese Seite kein Geld an. Es wurde nichts abgebucht.',
  not_found_title: 'Hier ist keine Bestellung',
  not_found_text: 'Der Link ist unvollständig oder nicht mehr gültig. Öffne die Zahlung noch einmal aus dem Spiel.',
  unavailable_title: 'Wir sind gerade nicht erreichbar',
  unavailable_text: 'Nichts ging verloren. Hast du eben bezahlt, steht das Ergebnis hier, sobald wir wieder da sind.',
  card: 'Karte',
  pay_with_saved: '{amount} mit {method} zahlen',
  saved_receipt: 'Die Quittung geht an {email}.',
  saved_remove: 'Entfernen',
  save_method: 'Diese Karte für {game} merken und beim nächsten Mal mit einem Tipp zahlen',
  ways_to_pay: 'Zahlungsarten',
  other_ways: 'Oder anders zahlen',
  takes_minutes: 'dauert ein paar Minuten',
  takes_days: 'dauert ein paar Tage',
  form_loading: 'Das Zahlungsformular wird geladen …',
  form_failed:
    'Das Zahlungsformular konnte nicht geladen werden. Es wurde nichts abgebucht. Prüfe deine Verbindung und versuche es noch einmal.',
  needs_script: 'Dieses Zahlungsformular braucht JavaScript, das dein Browser hier nicht ausführt.',
  needs_script_instead: 'Diese Zahlungsarten gehen auch ohne.',
  returned_if_refused:
    'Bei manchen Zahlungsarten wird zuerst abgebucht. Kann {game} deine Artikel nicht hinzufügen, bekommst du das Geld zurück.',
  not_refundable:
    'Mit {methods} zahlst du zuerst, und der Zahlungsanbieter kann den Betrag nicht zurückzahlen. Kann {game} deine Artikel nicht hinzufügen, erfährt es der Shop und muss den Betrag anders erstatten. Melde dich dann dort.',
  problem_provider_keys:
    'Zahlungen gehen hier gerade nicht, weil der Shop und sein Zahlungsanbieter nicht richtig verbunden sind. Es wurde nichts abgebucht.',
  problem_currency: 'Der Zahlungsanbieter nimmt diese Währung nicht an. Es wurde nichts abgebucht.',
  problem_amount_low: 'Dieser Betrag ist dem Zahlungsanbieter zu klein. Es wurde nichts abgebucht.',
  problem_amount_high: 'Dieser Betrag ist dem Zahlungsanbieter zu groß. Es wurde nichts abgebucht.',
  problem_method: 'Diese Zahlungsart geht für diese Bestellung nicht. Es wurde nichts abgebucht. Wähle eine andere.',
  problem_too_many_attempts:
    'Zu viele Karten wurden abgelehnt. Es wurde nichts abgebucht. Versuche es in {minutes} Minuten noch einmal.',
  problem_saved_gone:
    'Diese gemerkte Karte kann nicht mehr verwendet werden. Es wurde nichts abgebucht. Wähle eine andere Zahlungsart.',
  challenge_live_text: 'Deine Bank oder Bezahl-App bittet dich, diese Zahlung zu bestätigen.',
  challenge_continue: 'Weiter',
  pay_another_way: 'Anders zahlen',
  awaiting_title: 'Wir warten auf deine Zahlung',
  awaiting_voucher: 'Zahle {amount} mit {method}. Sobald das Geld da ist, fügt {game} deine Artikel hinzu.',
  awaiting_debit:
    'Deine Bank bucht {amount} ab. Das dauert ein paar Tage. Sobald das Geld da ist, fügt {game} deine Artikel hinzu.',
  awaiting_soon:
    'Deine Zahlung mit {method} ist unterwegs. Das dauert ein paar Minuten. Sobald das Geld da ist, fügt {game} deine Artikel hinzu.',
  awaiting_reference: 'Nummer',
  awaiting_until: 'Zahlen bis',
  awaiting_open: 'Zahlschein anzeigen',
  rejected_owed_text:
    'Deine {amount} konnten nicht über deine Zahlungsart zurückgezahlt werden. Der Shop von {game} weiß Bescheid und muss den Betrag anders erstatten. Melde dich dort.',
  rejected_returned_text:
    'Deine {amount} gehen auf dem Weg zurück, auf dem du bezahlt hast. Banken brauchen manchmal ein paar Tage, bis man es sieht.',
  not_connected_currency:
    'Der Zahlungsanbieter von {game} nimmt diese Währung nicht an, darum nimmt diese Seite kein Geld. Es wurde nichts abgebucht.',
  not_connected_amount_low:
    'Dieser Betrag ist dem Zahlungsanbieter von {game} zu klein, darum nimmt diese Seite kein Geld. Es wurde nichts abgebucht.',
  not_connected_amount_high:
    'Dieser Betrag ist dem Zahlungsanbieter von {game} zu groß, darum nimmt diese Seite kein Geld. Es wurde nichts abgebucht.',
  not_connected_method:
    '{game} bietet keine Zahlungsart an, die zu dieser Bestellung passt, darum nimmt diese Seite kein Geld. Es wurde nichts abgebucht.',
  simulated: 'Simulator',
  simulated_note: 'Das ist der Live-Modus ohne Zahlungsanbieter. Es bewegt sich kein echtes Geld.',
  test_mode: 'Testmodus',
  test_mode_note: 'Der Zahlungsanbieter läuft im Testmodus. Es bewegt sich kein echtes Geld.',
  method_simulated: '{method} (simuliert)',

  language: 'Sprache',
  language_use: 'Diese Sprache nehmen',
  try_again: 'Noch einmal versuchen',
  back_to_game: 'Zurück zu {game}',
  back_to_store: 'Zurück zum Shop',
};
