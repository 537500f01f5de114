import type { GrantRules } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { isSame } from '../../kit/forms.ts';
import { issueOf } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { SettingsForm, SettingsPage } from '../../ui/settings.tsx';
import {
  type GrantRulesFields,
  grantRulesForm,
  grantRulesInput,
  isGrantRulesFormValid,
  isListed,
  RELEASES,
} from './grant-rules-form.ts';

interface DefaultPriceProps {
  form: GrantRulesFields;
  set(patch: Partial<GrantRulesFields>): void;
  priceIssue: string | undefined;
  currencyIssue: string | undefined;
}

const DefaultPrice = ({ form, set, priceIssue, currencyIssue }: DefaultPriceProps) => (
  <div className="grid grid-cols-[1fr_112px] gap-4">
    <TextField
      label={t('grantRules.price')}
      hint={t('grantRules.priceHint')}
      inputMode="decimal"
      value={form.price}
      error={priceIssue}
      onChange={({ target }) => set({ price: target.value })}
    />
    <TextField
      label={t('column.currency')}
      maxLength={3}
      value={form.currency}
      error={currencyIssue}
      onChange={({ target }) => set({ currency: target.value.toUpperCase() })}
    />
  </div>
);

function GrantRulesForm({ rules }: { rules: GrantRules }) {
  const params = useEnv();
  const { may } = useCurrentGame();
  const saved = grantRulesForm(rules);
  const [form, setForm] = useState(saved);
  const [wasTried, setTried] = useState(false);
  const set = (patch: Partial<GrantRulesFields>): void => setForm(before => ({ ...before, ...patch }));
  const save = useAction(
    () =>
      call('PATCH /dashboard/api/games/{game_id}/{mode}/grant-rules', {
        params,
        body: grantRulesInput(form, params.mode),
      }),
    { done: () => t('grantRules.saved') },
  );
  const isWrong = !isGrantRulesFormValid(form, params.mode);
  const priceIssue = wasTried && isWrong ? t('items.issue.price_number') : undefined;
  const submit = (): void => {
    setTried(true);
    if (!isWrong) save.mutate();
  };
  return (
    <div className="border-t border-line pt-6">
      <SettingsForm
        isLocked={!may('changeGrantRules')}
        busy={save.isPending}
        isSame={isSame(form, saved)}
        onSave={submit}
      >
        <SelectField
          label={t('grantRules.release')}
          hint={t('grantRules.releaseHint')}
          value={form.releaseSeconds}
          error={issueOf(save.error, '/release_grant_after_seconds')}
          onChange={({ target }) => set({ releaseSeconds: target.value })}
        >
          <option value="">{t('grantRules.releaseDefault')}</option>
          {RELEASES.map(seconds => (
            <option key={seconds} value={seconds}>
              {t(`grantRules.release.${seconds}`)}
            </option>
          ))}
          {!isListed(form.releaseSeconds) && (
            <option value={form.releaseSeconds}>
              {t('grantRules.releaseSeconds', { seconds: form.releaseSeconds })}
            </option>
          )}
        </SelectField>
        {params.mode === 'sandbox' && (
          <DefaultPrice
            {...{ form, set }}
            priceIssue={priceIssue ?? issueOf(save.error, '/default_price/price_decimal', '/default_price')}
            currencyIssue={issueOf(save.error, '/default_price/currency')}
          />
        )}
      </SettingsForm>
    </div>
  );
}

export function GrantRulesPage() {
  const params = useEnv();
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/grant-rules', { params });
  return (
    <SettingsPage
      title={t('nav.grantRules')}
      about={t(params.mode === 'live' ? 'grantRules.aboutLive' : 'grantRules.aboutSandbox')}
      read={read}
    >
      {rules => <GrantRulesForm key={JSON.stringify(rules)} rules={rules} />}
    </SettingsPage>
  );
}
