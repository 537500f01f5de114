import type { TextsOf } from '../catalog.ts';
import type { en } from './en.ts';

export const de: TextsOf<typeof en> = {
  subject: '{game}: {heading}',
  subject_sandbox: '[SANDBOX] {game}: {heading}',
  sandbox: 'Es fließt kein echtes Geld.',
  closing: 'Du bekommst diese Nachricht als Mitglied der Firma, der dieses Spiel gehört.',
  order: 'Bestellung',
  payment: 'Zahlung',
  endpoint: 'Endpunkt',
  account: 'Konto',
  provider: 'Anbieter',
  code: 'Code',
  last_answer: 'Letzte Antwort',
  no_endpoint: 'keiner registriert',

  grants_failing: 'Auslieferungen schlagen fehl',
  removals_failing: 'Artikel werden nicht entzogen',
  not_accepted_one:
    'Dein Spiel hat {event} für die Bestellung {order} nach {count} Versuch nicht angenommen. {outcome}',
  not_accepted_other:
    'Dein Spiel hat {event} für die Bestellung {order} nach {count} Versuchen nicht angenommen. {outcome}',
  not_granted: 'Die Artikel wurden nicht ausgeliefert. Geld, das dafür reserviert war, wird freigegeben.',
  not_removed: 'Der Spieler hat sein Geld zurück und möglicherweise noch die Artikel.',
  other_orders:
    'Möglicherweise sind weitere Bestellungen betroffen. Diese Nachricht kommt höchstens einmal pro Stunde.',
  open_order: 'Bestellung öffnen',

  webhook_disabled: 'Ein Webhook wurde deaktiviert',
  webhook_disabled_reason: '{reason} Dorthin wird nichts mehr gesendet.',
  endpoint_gone: 'Der Endpunkt hat mit 410 Gone geantwortet.',
  webhook_disabled_by_hand: 'Der Endpunkt wurde deaktiviert.',
  webhook_disabled_events:
    'Die Ereignisse dieses Webhooks werden aufbewahrt und zugestellt, sobald er wieder aktiviert wird.',

  open_payment: 'Zahlung öffnen',
  open_dispute: 'Streitfall öffnen',
  open_webhook: 'Webhook öffnen',
  open_provider: 'Zahlungsanbieter öffnen',
  open_list: 'Handlungsbedarf ansehen',
  attention_detail:
    '{detail} Im Dashboard siehst du, was deine Aufmerksamkeit braucht, was als Nächstes passiert und was du tun kannst.',
  attention_others:
    'Möglicherweise sind weitere Zahlungen betroffen. Diese Nachricht kommt für jede Ursache höchstens einmal pro Stunde und nach dem dritten Mal einmal am Tag.',
  digest_one: '{count} Zahlung wartet: {problem}',
  digest_other: '{count} Zahlungen warten: {problem}',
  digest_about:
    'Wir haben das seit gestern dreimal gemeldet. Ab jetzt bekommst du eine Nachricht am Tag, bis es geklärt ist.',
  answered_one: 'Das Spiel hat {event} mit {status} beantwortet',
  answered_other: 'Das Spiel hat {event} {count}-mal mit {status} beantwortet',
  silent_one: 'Das Spiel hat {event} nicht beantwortet',
  silent_other: 'Das Spiel hat {event} {count}-mal nicht beantwortet',
  not_asked: 'Kein Webhook empfängt {event}',
  grant_unanswered: 'Das Spiel hat die Artikel nicht ausgeliefert',
  removal_unanswered: 'Das Spiel entzieht die Artikel nicht',
  capture_refused: 'Ein Einzug wurde abgelehnt',
  refund_refused: 'Eine Erstattung wurde abgelehnt',
  refund_failed: 'Eine Erstattung ist bei der Bank gescheitert',
  amount_differs: 'Ein Betrag weicht von der Bestellung ab',
  dispute_open: 'Eine Bank ficht eine Zahlung an',
  dispute_unclear: 'Der Stand eines Streitfalls ist unklar',
  fraud_warning: 'Die Bank meldet Betrug',
  provider_error: 'Beim Zahlungsanbieter gibt es ein Problem',

  evidence_refused: 'Die Nachweise zu einem Streitfall wurden nicht angenommen',
  evidence_reason: '{reason} Die Bank kennt deine Sicht noch nicht.',
  evidence_next:
    'Auf der Seite des Streitfalls siehst du, was der Anbieter gesagt hat und ob noch Nachweise gesendet werden können.',

  connection_failed: 'Die Verbindung zum Zahlungsanbieter braucht deine Aufmerksamkeit',
  connection_found: 'Die tägliche Prüfung der Verbindung hat ein neues Problem gefunden.',
  connection_next: 'Das Dashboard zeigt alles, was geprüft wurde, und wie sich das Problem beheben lässt.',
};
