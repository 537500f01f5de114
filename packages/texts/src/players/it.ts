import type { PlayerTexts } from './en.ts';

export const it: PlayerTexts = {
  pay_amount: 'Paga {amount}',
  claim: 'Ottieni gratis',
  working: 'Un momento…',
  offline: 'Non c’è connessione a internet. Riprova quando torna: non ti verrà mai addebitato due volte.',
  unreachable:
    'Non è stato possibile raggiungere il negozio. Quello che hai scritto è ancora qui. Riprova: non ti verrà mai addebitato due volte.',
  total: 'Totale',
  free: 'Gratis',
  for_player: 'Per {player}',
  quantity: 'Quantità',
  old_price: 'Prima',
  new_price: 'Ora',
  time_left: 'Tempo rimasto: {time}',
  charged_after_grant: 'L’addebito avviene solo dopo che {game} ha aggiunto i tuoi oggetti.',

  email: 'E-mail',
  email_optional: 'E-mail per la ricevuta (facoltativa)',
  card_number: 'Numero della carta',
  card_expiry: 'Scadenza',
  card_expiry_example: 'MM / AA',
  card_cvc: 'Codice di sicurezza',
  card_cvc_hint: '3 cifre sul retro',
  card_cvc_hint_amex: '4 cifre sul fronte',
  postal_code: 'Codice postale',

  email_required: 'Inserisci il tuo indirizzo e-mail.',
  email_invalid: 'Questo non sembra un indirizzo e-mail.',
  card_number_required: 'Inserisci il numero della carta.',
  card_number_invalid: 'Il numero della carta è incompleto o contiene un errore.',
  card_expiry_required: 'Inserisci la data di scadenza.',
  card_expiry_invalid: 'Inserisci mese e anno, per esempio 04 / 29.',
  card_expiry_past: 'Questa carta è scaduta.',
  card_cvc_required: 'Inserisci il codice di sicurezza.',
  card_cvc_invalid: 'Tre cifre, quattro per American Express.',
  postal_code_required: 'Inserisci il tuo codice postale.',
  postal_code_invalid: 'Questo codice postale è troppo lungo.',

  problem_declined:
    'La tua banca ha rifiutato il pagamento. Non ti è stato addebitato nulla. Prova un’altra carta o chiedi alla tua banca.',
  problem_insufficient_funds:
    'Su questa carta non c’è abbastanza denaro. Non ti è stato addebitato nulla. Prova un’altra carta.',
  problem_card_blocked: 'Questa carta non può essere usata. Non ti è stato addebitato nulla. Prova un’altra carta.',
  problem_card_expired: 'Questa carta è scaduta. Non ti è stato addebitato nulla. Prova un’altra carta.',
  problem_test_cards_only:
    'Questo è un ambiente di prova: accetta solo carte di prova. Scegline una dall’elenco qui sopra.',
  problem_challenge_failed:
    'La tua banca non ha potuto confermare che sei tu. Non ti è stato addebitato nulla. Riprova o usa un’altra carta.',
  problem_abandoned: 'L’ultimo pagamento non è stato completato. Non ti è stato addebitato nulla. Puoi riprovare.',
  problem_check_fields: 'Controlla i campi segnalati.',

  sandbox: 'Sandbox',
  sandbox_note: 'Non si muove denaro reale.',
  test_cards: 'Carte di prova',
  test_cards_note: 'Qualsiasi scadenza futura, codice di sicurezza e codice postale.',
  use_card: 'Usa',
  outcome_pays: 'Paga',
  outcome_declined: 'Rifiutata',
  outcome_challenge: '3-D Secure',
  outcome_dispute_lost: 'Contestazione, persa',
  outcome_dispute_won: 'Contestazione, vinta',

  paying_title: 'Pagamento in corso…',
  paying_text: 'Stiamo chiedendo alla tua banca. Bastano pochi secondi.',
  checking_title: 'Verifichiamo il tuo pagamento',
  checking_text:
    'Non conosciamo ancora l’esito e stiamo chiedendo alla banca. Non ti verrà addebitato due volte. Puoi chiudere questa pagina e tornare più tardi.',
  challenge_title: 'Conferma che sei tu',
  challenge_text:
    'In un pagamento reale la tua banca chiede qui un codice o l’impronta. Nell’ambiente di prova decidi tu.',
  challenge_complete: 'Conferma',
  challenge_fail: 'Fai fallire',
  asking_title: 'I tuoi oggetti stanno arrivando',
  asking_text: 'Il pagamento è approvato. {game} sta aggiungendo i tuoi oggetti.',
  asking_free_text: '{game} sta aggiungendo i tuoi oggetti.',
  asking_late_text:
    '{game} non ha ancora risposto. Continuiamo a chiedere. Se il gioco non può aggiungere i tuoi oggetti, non ti verrà addebitato nulla.',
  asking_late_free_text: '{game} non ha ancora risposto. Continuiamo a chiedere.',
  may_close: 'Puoi chiudere questa pagina e tornare più tardi.',
  may_close_email:
    'Puoi chiudere questa pagina: quando gli oggetti saranno arrivati, riceverai la ricevuta per e-mail.',
  waiting_no_webhook_title: 'In attesa del gioco',
  waiting_no_webhook_text:
    'Il pagamento di prova è riuscito e il denaro è riservato. Il gioco non ha ancora un webhook per item.add, quindi non c’è nessuno a cui chiedere.',
  waiting_no_webhook_free_text:
    'L’ordine è accettato. Il gioco non ha ancora un webhook per item.add, quindi non c’è nessuno a cui chiedere.',
  waiting_no_webhook_next: 'Registrane uno con POST /s2s/v1/webhooks e questa pagina proseguirà da sola.',
  done_title: 'È tuo',
  done_text: 'I tuoi oggetti sono in {game}.',
  done_open: 'Se {game} non si apre da solo, usa il pulsante.',
  done_receipt: 'La ricevuta è in arrivo a {email}.',
  already_paid_title: 'Già pagato',
  already_paid_text: 'Questo ordine è pagato e i tuoi oggetti sono in {game}.',
  rejected_title: 'Il gioco non ha potuto aggiungere i tuoi oggetti',
  rejected_text: 'Non ti è stato addebitato nulla. Se la tua banca mostra un importo riservato, sparirà da solo.',
  canceled_title: 'Questo ordine è stato annullato',
  canceled_text: 'Non ti è stato addebitato nulla.',
  expired_title: 'Questo ordine è scaduto',
  expired_text: 'Non ti è stato addebitato nulla. Ricomincia dal gioco.',
  refund_requested_title: 'Rimborso in corso',
  refund_requested_text: 'I tuoi {amount} stanno tornando indietro.',
  refunded_title: 'Rimborsato',
  refunded_text:
    'I tuoi {amount} sono tornati sul metodo con cui hai pagato. Le banche possono impiegare qualche giorno a mostrarlo.',
  disputed_title: 'La tua banca sta esaminando questo pagamento',
  disputed_text: 'Non succede altro finché la tua banca non decide.',
  charged_back_title: 'La tua banca ha stornato questo pagamento',
  charged_back_text: 'Il denaro è tornato a te e gli oggetti sono stati rimossi da {game}.',
  not_connected_title: 'I pagamenti non sono ancora aperti',
  not_connected_provider:
    '{game} non ha collegato un fornitore di pagamenti, quindi questa pagina non accetta denaro. Non ti è stato addebitato nulla.',
  not_connected_webhook:
    '{game} non può ancora consegnare oggetti, quindi questa pagina non accetta denaro. Non ti è stato addebitato nulla.',
  not_found_title: 'Qui non c’è nessun ordine',
  not_found_text: 'Il link è incompleto o non più valido. Riapri il pagamento dal gioco.',
  unavailable_title: 'Al momento non siamo raggiungibili',
  unavailable_text: 'Nulla è andato perso. Se hai appena pagato, questa pagina ti dirà com’è andata appena torniamo.',
  card: 'Carta',
  pay_with_saved: 'Paga {amount} con {method}',
  saved_receipt: 'La ricevuta va a {email}.',
  saved_remove: 'Rimuovi',
  save_method: 'Salva questa carta per {game} e paga con un tocco la prossima volta',
  ways_to_pay: 'Modi per pagare',
  other_ways: 'Oppure paga in un altro modo',
  takes_minutes: 'richiede qualche minuto',
  takes_days: 'richiede qualche giorno',
  form_loading: 'Caricamento del modulo di pagamento …',
  form_failed:
    'Non è stato possibile caricare il modulo di pagamento. Non ti è stato addebitato nulla. Controlla la connessione e riprova.',
  needs_script: 'Questo modulo di pagamento ha bisogno di JavaScript, che il tuo browser qui non esegue.',
  needs_script_instead: 'Questi modi per pagare funzionano senza.',
  not_refundable:
    'Con {methods} paghi prima e il fornitore di pagamenti non può rimborsarti. Se {game} non può aggiungere i tuoi oggetti, il negozio viene avvisato e deve rimborsarti in un altro modo. In tal caso, contattalo.',
  problem_provider_keys:
    'Al momento qui non si può pagare, perché il negozio e il suo fornitore di pagamenti non sono collegati bene. Non ti è stato addebitato nulla.',
  problem_currency: 'Il fornitore di pagamenti non accetta questa valuta. Non ti è stato addebitato nulla.',
  problem_amount_low: 'Questo importo è troppo piccolo per il fornitore di pagamenti. Non ti è stato addebitato nulla.',
  problem_amount_high: 'Questo importo è troppo grande per il fornitore di pagamenti. Non ti è stato addebitato nulla.',
  problem_method:
    'Questo modo di pagare non va bene per questo ordine. Non ti è stato addebitato nulla. Scegline un altro.',
  problem_too_many_attempts:
    'Troppe carte sono state rifiutate. Non ti è stato addebitato nulla. Riprova tra {minutes} minuti.',
  problem_saved_gone:
    'Questa carta salvata non si può più usare. Non ti è stato addebitato nulla. Scegli un altro modo per pagare.',
  challenge_live_text: 'La tua banca o la tua app di pagamento ti chiede di confermare questo pagamento.',
  challenge_continue: 'Continua',
  pay_another_way: 'Paga in un altro modo',
  awaiting_title: 'In attesa del tuo pagamento',
  awaiting_voucher: 'Paga {amount} con {method}. Appena arriva il denaro, {game} aggiunge i tuoi oggetti.',
  awaiting_debit:
    'La tua banca addebita {amount}. Richiede qualche giorno. Appena arriva il denaro, {game} aggiunge i tuoi oggetti.',
  awaiting_soon:
    'Il tuo pagamento con {method} è in arrivo. Richiede qualche minuto. Appena arriva il denaro, {game} aggiunge i tuoi oggetti.',
  awaiting_reference: 'Numero',
  awaiting_until: 'Da pagare entro',
  awaiting_open: 'Mostra il bollettino',
  rejected_owed_text:
    'Non è stato possibile restituire {amount} sul metodo con cui hai pagato. Il negozio di {game} è stato avvisato e deve restituirli in un altro modo. Contattalo.',
  rejected_returned_text:
    'I tuoi {amount} tornano al mezzo con cui hai pagato. Le banche possono metterci qualche giorno a mostrarlo.',
  not_connected_currency:
    'Il fornitore di pagamenti di {game} non accetta questa valuta, quindi questa pagina non incassa nulla. Non ti è stato addebitato nulla.',
  not_connected_amount_low:
    'Questo importo è troppo piccolo per il fornitore di pagamenti di {game}, quindi questa pagina non incassa nulla. Non ti è stato addebitato nulla.',
  not_connected_amount_high:
    'Questo importo è troppo grande per il fornitore di pagamenti di {game}, quindi questa pagina non incassa nulla. Non ti è stato addebitato nulla.',
  not_connected_method:
    '{game} non offre un modo di pagare adatto a questo ordine, quindi questa pagina non incassa nulla. Non ti è stato addebitato nulla.',
  simulated: 'Simulatore',
  simulated_note: 'Questa è la modalità reale senza fornitore di pagamenti. Non si muove denaro vero.',
  test_mode: 'Modalità di prova',
  test_mode_note: 'Il fornitore di pagamenti è in modalità di prova. Non si muove denaro vero.',
  method_simulated: '{method} (simulato)',

  language: 'Lingua',
  language_use: 'Usa questa lingua',
  try_again: 'Riprova',
  back_to_game: 'Torna a {game}',
  back_to_store: 'Torna al negozio',

  discount: 'Sconto',
  sold_by: 'Venduto da {seller}',
  support: 'Assistenza',
  terms: 'Condizioni',
  privacy: 'Privacy',
  refund_policy: 'Rimborsi',
  encrypted: 'Connessione cifrata',
  order_number: 'Numero d’ordine',
  paid_with: 'Pagato con',
  paid_on: 'Data',
  receipt: 'Ricevuta',
  view_receipt: 'Vedi la ricevuta',
  print: 'Stampa',
  again_with: 'Era {card}. Inserisci di nuovo il numero e il codice di sicurezza, o usa un’altra carta.',
  game_says: '{game} dice: {message}',
  all_items: 'Tutti gli oggetti ({count})',
  charged_first: 'L’importo viene addebitato subito. Se {game} non può aggiungere i tuoi oggetti, riavrai tutto.',
  tax_number: 'Codice fiscale',
  registration_number: 'Numero di registrazione',
  accepted: 'Carte accettate',

  // The receipt that is sent by mail.
  mail_subject: 'La tua ricevuta di {game}: {amount}',
  mail_heading: 'Grazie per il tuo acquisto',
  mail_sandbox: 'Questo era un test. Non è stato addebitato denaro reale.',
  mail_order: 'Ordine',
  mail_payment: 'Pagamento',
  mail_seller: 'Venduto da',
  mail_support: 'Domande su questo acquisto? Contatta {seller} e indica il numero dell’ordine.',
  mail_automatic:
    'Questo messaggio è stato inviato automaticamente perché questo indirizzo è stato inserito al momento del pagamento.',
};
