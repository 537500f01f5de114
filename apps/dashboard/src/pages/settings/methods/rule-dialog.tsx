import type { CompanyLine, DashboardMethod, ProviderState, RoutingRule } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../../kit/api.ts';
import { minorOf, numberOf } from '../../../kit/money.ts';
import { problemText } from '../../../kit/problems.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useAction } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { nameOf } from './find-methods.ts';
import { RulePreview } from './rule-preview.tsx';
import { codesIn, type Taker, takersOf } from './rule-text.ts';

const NOT_OFFERED = '';
const ANY_GAME = '';

interface RuleDialogProps {
  rules: readonly RoutingRule[];
  methods: readonly DashboardMethod[];
  providers: readonly ProviderState[];
  onClose(): void;
}

interface Typed {
  game: string;
  countries: string;
  currencies: string;
  method: string;
  min: string;
  max: string;
  /** Position in the list of takers; empty if the methods are not offered. */
  taker: string;
}

function ruleOf(
  { game, countries, currencies, method, min, max, taker }: Typed,
  takers: readonly Taker[],
): RoutingRule {
  const codes = codesIn(currencies);
  const [currency] = codes ?? [];
  const minor = (text: string): number | null => {
    const amount = numberOf(text);
    return amount === null || !currency ? null : minorOf(amount, currency);
  };
  const { provider = null, account = null } = taker === NOT_OFFERED ? {} : (takers[Number(taker)] ?? {});
  return {
    games: game === ANY_GAME ? null : [game],
    countries: codesIn(countries),
    currencies: codes,
    methods: method === '' ? null : [method],
    min_amount: minor(min),
    max_amount: minor(max),
    provider,
    account,
  };
}

interface RuleFieldsProps {
  typed: Typed;
  change(patch: Partial<Typed>): void;
  methods: readonly DashboardMethod[];
  takers: readonly Taker[];
  games: CompanyLine['games'];
}

const RuleFields = ({ typed, change, methods, takers, games }: RuleFieldsProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      label={t('rules.countries')}
      hint={t('rules.countriesHint')}
      value={typed.countries}
      onChange={({ target }) => change({ countries: target.value })}
    />
    <TextField
      label={t('rules.currencies')}
      hint={t('rules.currenciesHint')}
      value={typed.currencies}
      onChange={({ target }) => change({ currencies: target.value })}
    />
    <TextField
      label={t('rules.min')}
      inputMode="decimal"
      value={typed.min}
      onChange={({ target }) => change({ min: target.value })}
    />
    <TextField
      label={t('rules.max')}
      inputMode="decimal"
      value={typed.max}
      onChange={({ target }) => change({ max: target.value })}
    />
    <SelectField
      label={t('rules.method')}
      value={typed.method}
      onChange={({ target }) => change({ method: target.value })}
    >
      <option value="">{t('rules.anyMethod')}</option>
      {methods.map(method => (
        <option key={method.id} value={method.id}>
          {nameOf(method)}
        </option>
      ))}
    </SelectField>
    <SelectField
      label={t('methods.route')}
      value={typed.taker}
      onChange={({ target }) => change({ taker: target.value })}
    >
      {takers.map(({ text }, i) => (
        <option key={text} value={String(i)}>
          {text}
        </option>
      ))}
      <option value={NOT_OFFERED}>{t('rules.notOffered')}</option>
    </SelectField>
    {games.length > 1 && (
      <SelectField label={t('rules.game')} value={typed.game} onChange={({ target }) => change({ game: target.value })}>
        <option value={ANY_GAME}>{t('rules.anyGame')}</option>
        {games.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    )}
  </div>
);

/** Adds a rule at the end and shows what a player would see with it before it is saved. */
export function RuleDialog({ rules, methods, providers, onClose }: RuleDialogProps) {
  const { company_id, company } = useCurrentGame();
  const takers = takersOf(providers);
  const [typed, setTyped] = useState<Typed>({
    game: ANY_GAME,
    countries: '',
    currencies: '',
    method: '',
    min: '',
    max: '',
    taker: takers.length > 0 ? '0' : NOT_OFFERED,
  });
  const change = (patch: Partial<Typed>): void => setTyped({ ...typed, ...patch });
  const draft = [...rules, ruleOf(typed, takers)];
  const save = useAction(
    () => call('PUT /dashboard/api/companies/{company_id}/routing', { params: { company_id }, body: { rules: draft } }),
    { quiet: true, done: () => t('rules.saved'), after: onClose },
  );
  return (
    <Dialog
      title={t('rules.add')}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {t('rules.add')}
          </Button>
        </>
      }
    >
      <RuleFields typed={typed} change={change} methods={methods} takers={takers} games={company.games} />
      {save.error && (
        <p role="alert" className="pt-3 text-bad">
          {problemText(save.error)}
        </p>
      )}
      <RulePreview
        rules={draft}
        game={company.games.find(({ id }) => id === typed.game) ?? null}
        country={codesIn(typed.countries)?.[0] ?? ''}
        currency={codesIn(typed.currencies)?.[0] ?? 'EUR'}
      />
    </Dialog>
  );
}
