import { language, t, tryText } from '../../texts/texts.ts';

/** The sentences that the server writes in English. The words of a provider or bank follow them untranslated. */
export const SENTENCES = [
  ['answered', 'The bank questions the payment and has your evidence. It decides, which can take weeks.'],
  ['dispute', 'The bank questions the payment. The dispute page shows until when evidence can be sent.'],
  ['disputeRefunded', 'The bank questions a payment whose money went back to the player. Answer with the refund.'],
  ['disputeUnclear', 'The provider reports a dispute in a state that is not known here. Look at it there.'],
  ['fraudWarning', 'The bank reports fraud and may dispute the payment. A refund now can still prevent that.'],
  ['refundFailed', 'The bank did not take the refund. The money is still here.'],
  ['grant', 'The game has not accepted `item.add`:'],
  [
    'accountGone',
    'The provider’s account that reserved the money is disconnected, so the game was not asked. Connect it again, or release the order.',
  ],
  ['partReturned', 'A part of the payment was refunded at the provider:'],
  ['removal', 'The player got the money back and may still have the items: the game has not accepted `item.remove`'],
  ['refused', 'The provider refused the '],
] as const;

const STEPS = ['capture', 'release', 'refund'] as const;

/** Splits "capture: The balance is too low." into what was refused and why. */
function refusedText(rest: string): string | undefined {
  const step = STEPS.find(one => rest.startsWith(`${one}: `));
  return step && `${t(`attention.detail.refused.${step}`)} ${rest.slice(step.length + 2)}`;
}

const DIFFERS =
  /^The provider reports (.+), the order is (.+)\. Held for review\.( The bank questions the payment\.)?$/;

/** Translates the detail as far as its words are Coinslot's own. */
export function detailText(detail: string): string {
  if (language === 'en') return detail;
  for (const [name, sentence] of SENTENCES) {
    if (!detail.startsWith(sentence)) continue;
    const rest = detail.slice(sentence.length);
    if (name === 'refused') return refusedText(rest) ?? detail;
    return `${tryText(`attention.detail.${name}`) ?? sentence}${rest}`;
  }
  const [, theirs, ours, isQuestioned] = DIFFERS.exec(detail) ?? [];
  if (!theirs || !ours) return detail;
  const differs = t('attention.detail.differs', { theirs, ours });
  return isQuestioned ? `${differs} ${t('attention.detail.questioned')}` : differs;
}
