import type { TextsOf } from '../catalog.ts';
import type { en } from './en.ts';

export const de: TextsOf<typeof en> = {
  orphaned: 'Beim Anbieter liegt Geld für einen Versuch, der hier aufgegeben wurde. Es wird zurückgegeben.',
  dispute_open: 'Nachweise können bis zu dem Datum auf der Seite des Streitfalls gesendet werden.',
  dispute_unclear: 'Der Anbieter meldet einen Streitfall in einem Zustand, der hier nicht bekannt ist. Sieh dort nach.',
  dispute_answered: 'Die Bank hat deine Nachweise und entscheidet. Das kann Wochen dauern.',
  dispute_of_refunded: 'Das Geld ging schon an den Spieler zurück. Antworte mit der Erstattung.',
  questioned: 'Die Bank zweifelt die Zahlung an.',
  dispute: 'Grund: {reason}. Angefochten: {amount}.',
  dispute_with_fee: 'Grund: {reason}. Angefochten: {amount}, Gebühr: {fee}.',
  because: 'Grund: {reason}.',
  fraud_warning:
    'Die Bank meldet Betrug und kann die Zahlung anfechten. Eine Erstattung kann das jetzt noch verhindern.',
  refund_failed: 'Die Bank hat die Erstattung nicht angenommen. Das Geld ist noch hier.',
  chargeback_reversed:
    'Die Bank hat das Geld nach der Rückbuchung zurückgegeben. Die Gegenstände wurden damals entzogen: Gib sie im Spiel zurück, oder erstatte das Geld beim Anbieter.',
  part_returned: 'Ein Teil der Zahlung wurde beim Anbieter erstattet: {part} von {whole}.',
  part_failed:
    'Die Bank hat einen Teil, der beim Anbieter erstattet wurde, nicht angenommen. Erstattet sind jetzt {part} von {whole}.',
  amount_differs: 'Der Anbieter meldet {theirs}, die Bestellung lautet über {ours}. Zur Prüfung angehalten.',
  contradiction:
    'Der Anbieter meldet {theirs}, aber die Bestellung ist {order} und die Zahlung {payment}. Zur Prüfung angehalten.',
  silent: 'Der Anbieter hat seit einer Weile nicht gesagt, was aus dieser Zahlung wurde. Er wird wieder gefragt.',
  'refused.capture': 'Der Anbieter hat den Einzug abgelehnt: {reason}',
  'refused.void': 'Der Anbieter hat die Freigabe abgelehnt: {reason}',
  'refused.refund': 'Der Anbieter hat die Erstattung abgelehnt: {reason}',
  no_endpoint: 'Kein aktiver Webhook nimmt `item.add` an, deshalb kann das Spiel nicht gefragt werden.',
  account_gone:
    'Das Konto beim Anbieter, das das Geld reserviert hat, ist getrennt. Deshalb wurde das Spiel nicht gefragt. Verbinde es wieder oder gib die Bestellung frei.',
  not_granted: 'Das Spiel hat `item.add` nicht angenommen: {answer}.',
  not_removed:
    'Der Spieler hat sein Geld zurück und möglicherweise noch die Artikel: Das Spiel hat `item.remove` nicht angenommen ({answer}).',
  reservation_ended: 'Die Reservierung endete beim Anbieter, bevor das Geld eingezogen wurde.',
  returned_there: 'Beim Anbieter erstattet.',
  settled: 'Anderweitig geklärt: {reason}',
  'rejected.declined': 'Das Spiel hat die Artikel abgelehnt. Das Geld wurde freigegeben.',
  'rejected.exhausted': 'Das Spiel hat nicht geantwortet. Das Geld wurde freigegeben.',
  unanswered: 'Der Kauf wurde nicht rechtzeitig bestätigt, und die Zahlung wurde freigegeben.',
  disconnected: 'Das Studio hat den Zahlungsanbieter getrennt.',
  'evidence.sending': 'Die Nachweise werden gesendet.',
  'evidence.submitted': 'Die Bank hat bereits Nachweise und entscheidet.',
  'evidence.closed': 'Die Bank nimmt zu diesem Streitfall keine Nachweise an oder hat entschieden.',
  'evidence.too_late': 'Die Zeit, in der die Bank Nachweise annimmt, ist vorbei.',
  'evidence.accepting': 'Der Streitfall wird anerkannt.',
  'evidence.accepted': 'Das Studio hat den Streitfall anerkannt.',
  'accept.not_taken': 'Bei diesem Zahlungsanbieter lässt sich ein Streitfall nicht anerkennen.',
  'accept.inquiry': 'Die Bank fragt bisher nur nach. Antworte ihr, oder erstatte die Zahlung, um es zu beenden.',
  'file.no_files': 'Dieser Zahlungsanbieter nimmt keine Dateien als Nachweis an.',
  'file.empty': 'Die Datei ist leer.',
  'file.type': 'Nur PDF, PNG und JPEG werden angenommen.',
  'file.file_bytes': 'Dieser Zahlungsanbieter nimmt Dateien bis {file} MB an.',
  'file.total_bytes': 'Dieser Zahlungsanbieter nimmt zusammen höchstens {total} MB an.',
  'file.files': 'Dieser Zahlungsanbieter nimmt höchstens {files} Dateien an.',
  'file.kind_taken': 'Dieser Zahlungsanbieter nimmt von jeder Art eine Datei an. Entferne zuerst die andere.',
};
