import type { Texts } from './en.ts';

export const fr: Texts = {
  pay_amount: 'Payer {amount}',
  claim: 'Obtenir gratuitement',
  working: 'Un instant…',
  offline: 'Pas de connexion internet. Réessayez dès qu’elle revient : vous n’êtes jamais débité deux fois.',
  unreachable:
    'La boutique est injoignable pour le moment. Votre saisie est toujours là. Réessayez : vous n’êtes jamais débité deux fois.',
  total: 'Total',
  free: 'Gratuit',
  for_player: 'Pour {player}',
  quantity: 'Quantité',
  old_price: 'Avant',
  new_price: 'Maintenant',
  time_left: 'Temps restant : {time}',
  charged_after_grant: 'Vous ne serez débité qu’une fois vos articles ajoutés par {game}.',

  email: 'E-mail',
  email_optional: 'E-mail pour le reçu (facultatif)',
  card_number: 'Numéro de carte',
  card_expiry: 'Expiration',
  card_expiry_example: 'MM / AA',
  card_cvc: 'Code de sécurité',
  card_cvc_hint: '3 chiffres au dos',
  card_cvc_hint_amex: '4 chiffres au recto',
  postal_code: 'Code postal',

  email_required: 'Saisissez votre adresse e-mail.',
  email_invalid: 'Cela ne ressemble pas à une adresse e-mail.',
  card_number_required: 'Saisissez le numéro inscrit sur la carte.',
  card_number_invalid: 'Ce numéro de carte est incomplet ou contient une faute de frappe.',
  card_expiry_required: 'Saisissez la date d’expiration.',
  card_expiry_invalid: 'Saisissez le mois et l’année, par exemple 04 / 29.',
  card_expiry_past: 'Cette carte a expiré.',
  card_cvc_required: 'Saisissez le code de sécurité.',
  card_cvc_invalid: 'Trois chiffres, ou quatre pour American Express.',
  postal_code_required: 'Saisissez votre code postal.',
  postal_code_invalid: 'Ce code postal est trop long.',

  problem_declined:
    'Votre banque a refusé le paiement. Vous n’avez pas été débité. Essayez une autre carte ou contactez votre banque.',
  problem_insufficient_funds:
    'Le solde de cette carte est insuffisant. Vous n’avez pas été débité. Essayez une autre carte.',
  problem_card_blocked: 'Cette carte ne peut pas être utilisée. Vous n’avez pas été débité. Essayez une autre carte.',
  problem_card_expired: 'Cette carte a expiré. Vous n’avez pas été débité. Essayez une autre carte.',
  problem_test_cards_only:
    'Ceci est un bac à sable : seules les cartes de test sont acceptées. Choisissez-en une dans la liste ci-dessus.',
  problem_challenge_failed:
    'Votre banque n’a pas pu confirmer votre identité. Vous n’avez pas été débité. Réessayez ou utilisez une autre carte.',
  problem_abandoned: 'Le dernier paiement n’a pas été terminé. Vous n’avez pas été débité. Vous pouvez réessayer.',
  problem_check_fields: 'Vérifiez les champs signalés.',

  sandbox: 'Sandbox',
  sandbox_note: 'Aucun argent réel ne circule.',
  test_cards: 'Cartes de test',
  test_cards_note: 'Toute date future, tout code de sécurité et tout code postal conviennent.',
  use_card: 'Utiliser',
  outcome_pays: 'Paie',
  outcome_declined: 'Refusée',
  outcome_challenge: '3-D Secure',
  outcome_dispute_lost: 'Litige, perdu',
  outcome_dispute_won: 'Litige, gagné',

  paying_title: 'Paiement en cours…',
  paying_text: 'Nous interrogeons votre banque. Cela prend quelques secondes.',
  checking_title: 'Vérification de votre paiement',
  checking_text:
    'Nous ne connaissons pas encore le résultat et interrogeons la banque. Vous ne serez pas débité deux fois. Vous pouvez fermer cette page et revenir plus tard.',
  challenge_title: 'Confirmez votre identité',
  challenge_text:
    'Lors d’un vrai paiement, votre banque demande ici un code ou votre empreinte. Dans le bac à sable, c’est vous qui décidez.',
  challenge_complete: 'Confirmer',
  challenge_fail: 'Faire échouer',
  asking_title: 'Vos articles arrivent',
  asking_text: 'Le paiement est approuvé. {game} ajoute vos articles en ce moment.',
  asking_free_text: '{game} ajoute vos articles en ce moment.',
  asking_late_text:
    '{game} n’a pas encore répondu. Nous continuons à demander. Si le jeu ne peut pas ajouter vos articles, vous ne serez pas débité.',
  asking_late_free_text: '{game} n’a pas encore répondu. Nous continuons à demander.',
  may_close: 'Vous pouvez fermer cette page et revenir plus tard.',
  may_close_email: 'Vous pouvez fermer cette page : dès que vos articles seront là, le reçu arrivera par e-mail.',
  waiting_no_webhook_title: 'En attente du jeu',
  waiting_no_webhook_text:
    'Le paiement de test a réussi et l’argent est réservé. Le jeu n’a pas encore de webhook pour item.add : il n’y a donc personne à interroger.',
  waiting_no_webhook_free_text:
    'La commande est validée. Le jeu n’a pas encore de webhook pour item.add : il n’y a donc personne à interroger.',
  waiting_no_webhook_next: 'Enregistrez-en un avec POST /s2s/v1/webhooks et cette page continuera d’elle-même.',
  done_title: 'C’est à vous',
  done_text: 'Vos articles sont dans {game}.',
  done_open: 'Si {game} ne s’ouvre pas tout seul, utilisez le bouton.',
  done_receipt: 'Le reçu est envoyé à {email}.',
  already_paid_title: 'Déjà payé',
  already_paid_text: 'Cette commande est payée et vos articles sont dans {game}.',
  rejected_title: 'Le jeu n’a pas pu ajouter vos articles',
  rejected_text: 'Vous n’avez pas été débité. Si votre banque affiche un montant réservé, il disparaîtra de lui-même.',
  canceled_title: 'Cette commande a été annulée',
  canceled_text: 'Vous n’avez pas été débité.',
  expired_title: 'Cette commande a expiré',
  expired_text: 'Vous n’avez pas été débité. Recommencez depuis le jeu.',
  refund_requested_title: 'Remboursement en cours',
  refund_requested_text: 'Vos {amount} sont en route vers vous.',
  refunded_title: 'Remboursé',
  refunded_text:
    'Vos {amount} ont été rendus par votre moyen de paiement. Les banques mettent parfois quelques jours à l’afficher.',
  disputed_title: 'Votre banque examine ce paiement',
  disputed_text: 'Rien d’autre ne se passe tant que votre banque n’a pas tranché.',
  charged_back_title: 'Votre banque a repris ce paiement',
  charged_back_text: 'L’argent vous a été rendu et les articles ont été retirés de {game}.',
  not_connected_title: 'Les paiements ne sont pas encore ouverts',
  not_connected_provider:
    '{game} n’a pas relié de prestataire de paiement : cette page n’accepte donc pas d’argent. Vous n’avez pas été débité.',
  not_connected_webhook:
    '{game} ne peut pas encore remettre d’articles : cette page n’accepte donc pas d’argent. Vous n’avez pas été débité.',
  not_found_title: 'Il n’y a pas de commande ici',
  not_found_text: 'Le lien est incomplet ou n’est plus valable. Rouvrez le paiement depuis le jeu.',
  unavailable_title: 'Nous sommes momentanément injoignables',
  unavailable_text: 'Rien n’est perdu. Si vous venez de payer, cette page vous dira ce qu’il en est dès notre retour.',
  card: 'Carte',
  pay_with_saved: 'Payer {amount} avec {method}',
  saved_receipt: 'Le reçu sera envoyé à {email}.',
  saved_remove: 'Supprimer',
  save_method: 'Enregistrer cette carte pour {game} et payer en un geste la prochaine fois',
  ways_to_pay: 'Moyens de paiement',
  other_ways: 'Ou payer autrement',
  takes_minutes: 'prend quelques minutes',
  takes_days: 'prend quelques jours',
  form_loading: 'Chargement du formulaire de paiement …',
  form_failed:
    'Le formulaire de paiement n’a pas pu être chargé. Vous n’avez pas été débité. Vérifiez votre connexion et réessayez.',
  needs_script: 'Ce formulaire de paiement a besoin de JavaScript, que votre navigateur n’exécute pas ici.',
  needs_script_instead: 'Ces moyens de paiement fonctionnent sans.',
  returned_if_refused:
    'Avec certains moyens de paiement, l’argent est prélevé d’abord. Si {game} ne peut pas ajouter vos articles, il vous est rendu.',
  not_refundable:
    'Avec {methods}, vous payez d’abord, et le prestataire de paiement ne peut pas vous rembourser. Si {game} ne peut pas ajouter vos articles, la boutique est prévenue et doit vous rembourser autrement. Contactez-la dans ce cas.',
  problem_provider_keys:
    'Les paiements ne fonctionnent pas ici pour le moment, car la boutique et son prestataire de paiement ne sont pas bien reliés. Vous n’avez pas été débité.',
  problem_currency: 'Le prestataire de paiement n’accepte pas cette devise. Vous n’avez pas été débité.',
  problem_amount_low: 'Ce montant est trop petit pour le prestataire de paiement. Vous n’avez pas été débité.',
  problem_amount_high: 'Ce montant est trop élevé pour le prestataire de paiement. Vous n’avez pas été débité.',
  problem_method:
    'Ce moyen de paiement ne convient pas à cette commande. Vous n’avez pas été débité. Choisissez-en un autre.',
  problem_too_many_attempts:
    'Trop de cartes ont été refusées. Vous n’avez pas été débité. Réessayez dans {minutes} minutes.',
  problem_saved_gone:
    'Cette carte enregistrée ne peut plus être utilisée. Vous n’avez pas été débité. Choisissez un autre moyen de paiement.',
  challenge_live_text: 'Votre banque ou votre application de paiement vous demande de confirmer ce paiement.',
  challenge_continue: 'Continuer',
  pay_another_way: 'Payer autrement',
  awaiting_title: 'En attente de votre paiement',
  awaiting_voucher: 'Payez {amount} avec {method}. Dès que l’argent est arrivé, {game} ajoute vos articles.',
  awaiting_debit:
    'Votre banque prélève {amount}. Cela prend quelques jours. Dès que l’argent est arrivé, {game} ajoute vos articles.',
  awaiting_soon:
    'Votre paiement avec {method} est en route. Cela prend quelques minutes. Dès que l’argent est arrivé, {game} ajoute vos articles.',
  awaiting_reference: 'Numéro',
  awaiting_until: 'À payer avant le',
  awaiting_open: 'Afficher le bon de paiement',
  rejected_owed_text:
    'Vos {amount} n’ont pas pu être remboursés sur votre moyen de paiement. La boutique de {game} est prévenue et doit vous rembourser autrement. Contactez-la.',
  rejected_returned_text:
    'Vos {amount} reviennent par le moyen de paiement utilisé. Les banques mettent parfois quelques jours à l’afficher.',
  not_connected_currency:
    'Le prestataire de paiement de {game} n’accepte pas cette devise, cette page ne prend donc pas d’argent. Vous n’avez pas été débité.',
  not_connected_amount_low:
    'Ce montant est trop petit pour le prestataire de paiement de {game}, cette page ne prend donc pas d’argent. Vous n’avez pas été débité.',
  not_connected_amount_high:
    'Ce montant est trop élevé pour le prestataire de paiement de {game}, cette page ne prend donc pas d’argent. Vous n’avez pas été débité.',
  not_connected_method:
    '{game} ne propose aucun moyen de paiement qui convienne à cette commande, cette page ne prend donc pas d’argent. Vous n’avez pas été débité.',
  simulated: 'Simulateur',
  simulated_note: 'C’est le mode réel sans prestataire de paiement. Aucun argent réel ne circule.',
  test_mode: 'Mode test',
  test_mode_note: 'Le prestataire de paiement fonctionne en mode test. Aucun argent réel ne circule.',
  method_simulated: '{method} (simulé)',

  language: 'Langue',
  language_use: 'Utiliser cette langue',
  try_again: 'Réessayer',
  back_to_game: 'Retour à {game}',
  back_to_store: 'Retour à la boutique',
};
