export const en = {
  missing_here: 'The provider has a payment of ours that is not in our record.',
  missing_there: 'Our record has a payment that the provider does not know.',
  amount_differs: 'The provider and our record have different amounts.',
  currency_differs: 'The provider and our record have different currencies.',
  status_differs: 'The provider and our record disagree about the state of the payment.',
  refund_missing_here: 'The provider returned the money, and our record says that it was not.',
  refund_missing_there: 'Our record says that the money was returned, and the provider still holds it.',
  refund_failed: 'A refund did not reach the player, and the provider holds the money again.',
  partial_refund: 'A part of the money was returned at the provider. Orders are refunded whole or not at all.',
  dispute_missing_here: 'A bank disputes a payment that is not disputed in our record.',
  dispute_differs: 'The provider and our record disagree about the state of a dispute.',
  dispute_unclear: 'The provider reports a dispute in a state that Coinslot does not know.',
  overdue: 'The provider and our record agree, but the next step should have happened long ago.',
  record_contradicts: 'In our record the order and its payment contradict each other.',
  books_differ: 'Our ledger and the provider’s balance have different sums for the payment.',
  'missing_here.fix':
    'Was the database restored from a backup? Look the payment up at the provider by its metadata, then refund it there or grant the items by hand.',
  'missing_there.fix':
    'Check that the right account is connected. If the provider really has no such payment, the items were given without money: take them back in the game.',
  'amount_differs.fix': 'Open the payment and decide: accept what the provider holds, or refund it.',
  'currency_differs.fix': 'Open the payment and decide: accept what the provider holds, or refund it.',
  'status_differs.fix':
    'It was asked again and stays different. Open the payment; if it is held for review, decide about it.',
  'refund_missing_here.fix': 'Open the order: if it is not refunded by now, refund it. No money moves twice.',
  'refund_missing_there.fix': 'Refund the payment at the provider, or ask its support why the refund is missing.',
  'refund_failed.fix': 'Refund it again at the provider, or agree with the player on another way and resolve this.',
  'partial_refund.fix':
    'Refund the rest at the provider, which refunds the order; or agree with the player and resolve this.',
  'dispute_missing_here.fix': 'Answer the dispute at the provider before its deadline.',
  'dispute_differs.fix':
    'Look at the dispute at the provider, whose state counts. If it was lost, take the items back in the game.',
  'dispute_unclear.fix': 'Look at the dispute at the provider and follow what it asks for there.',
  'overdue.fix':
    'Open the payment and look at what was refused. Capture, void or refund it at the provider, then resolve this.',
  'books_differ.fix':
    'Compare both sides with the provider’s list of movements: a fee, a refund or a dispute is missing on one of them.',
  'record_contradicts.fix':
    'Open the order and compare it with the provider. Refund the payment if the items were not granted.',
  corrected: 'Nothing: it was put right by asking the provider again.',
} as const;
