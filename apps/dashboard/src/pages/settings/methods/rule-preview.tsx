import type { CompanyLine, MethodOffer, RoutingRule } from '@coinslot/contract';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../kit/api.ts';
import { formatMoney, minorOf, numberOf } from '../../../kit/money.ts';
import { problemText } from '../../../kit/problems.ts';
import { useEnv } from '../../../kit/use-env.ts';
import { useAction } from '../../../kit/use-read.ts';
import { language, t } from '../../../texts/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { nameOf } from './find-methods.ts';
import { placeText } from './rule-text.ts';

interface RulePreviewProps {
  rules: RoutingRule[];
  /** Null: the game of the page. */
  game: CompanyLine['games'][number] | null;
  /** Empty if unknown. */
  country: string;
  currency: string;
}

/** "Stripe", or "Stripe · Europe" where the account has a name. */
const takerOf = ({ title, account_label }: MethodOffer['methods'][number]): string =>
  account_label === null ? title : t('rules.accountOf', { provider: title, account: account_label });

/** Asks the server what a player would see with rules that are not saved yet. */
export function RulePreview({ rules, game, country, currency }: RulePreviewProps) {
  const { game_id } = useEnv();
  const [amount, setAmount] = useState('20');
  const price = numberOf(amount);
  const minor = minorOf(price ?? 0, currency);
  const ask = useAction(
    () =>
      call('POST /dashboard/api/games/{game_id}/{mode}/offer', {
        params: { game_id: game?.id ?? game_id, mode: 'live' },
        body: { rules, currency, amount: minor, ...(country && { country }) },
      }),
    { quiet: true },
  );
  const offer = ask.data;
  return (
    <div className="mt-4 border-t border-line pt-4">
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-32">
          <TextField
            label={t('methods.amount', { currency })}
            inputMode="decimal"
            value={amount}
            error={price === null ? t('methods.amountNumber') : undefined}
            onChange={({ target }) => setAmount(target.value)}
          />
        </div>
        <Button
          icon={<Eye size={16} aria-hidden />}
          busy={ask.isPending}
          disabled={price === null}
          onClick={() => ask.mutate()}
        >
          {t('rules.preview')}
        </Button>
      </div>
      <div role="status" className="pt-3">
        {ask.error && <p className="text-bad">{problemText(ask.error)}</p>}
        {offer && (
          <p className="font-semibold">
            {game && `${game.name} · `}
            {t('methods.sees', { country: placeText(country), amount: formatMoney(language, minor, currency) })}
          </p>
        )}
        {offer?.missing && <p className="text-warn">{t(`methods.missing.${offer.missing}`)}</p>}
        {offer && offer.methods.length > 0 && (
          <ol className="pt-1 text-soft">
            {offer.methods.map(method => (
              <li key={method.id}>{t('rules.sees', { method: nameOf(method), provider: takerOf(method) })}</li>
            ))}
          </ol>
        )}
      </div>
    </div>
  );
}
