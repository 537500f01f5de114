import type { GrantRules } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { numberOf } from '../../kit/number-of.ts';
import { useHere } from '../../kit/session.tsx';
import { t } from '../../kit/texts.ts';
import { issueOf, useAct, useRead } from '../../kit/use-read.ts';
import { useEnv } from '../../ui/env-link.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { SettingsForm, SettingsPage } from '../../ui/settings.tsx';

const RELEASES = [300, 900, 3_600, 21_600, 86_400] as const;

interface DefaultPriceProps {
  price: string;
  setPrice(text: string): void;
  currency: string;
  setCurrency(text: string): void;
  priceIssue: string | undefined;
  currencyIssue: string | undefined;
}

const DefaultPrice = (props: DefaultPriceProps) => {
  const { price, setPrice, currency, setCurrency, priceIssue, currencyIssue } = props;
  return (
    <div className="grid grid-cols-[1fr_112px] gap-4">
      <TextField
        label={t('behaviour.price')}
        hint={t('behaviour.priceHint')}
        inputMode="decimal"
        value={price}
        error={priceIssue}
        onChange={({ target }) => setPrice(target.value)}
      />
      <TextField
        label={t('column.currency')}
        maxLength={3}
        value={currency}
        error={currencyIssue}
        onChange={({ target }) => setCurrency(target.value.toUpperCase())}
      />
    </div>
  );
};

function GrantRulesForm({ behaviour }: { behaviour: GrantRules }) {
  const params = useEnv();
  const { may } = useHere();
  const [release, setRelease] = useState(behaviour.release_grant_after_seconds?.toString() ?? '');
  const [price, setPrice] = useState(behaviour.default_price?.price_decimal.toString() ?? '');
  const [currency, setCurrency] = useState(behaviour.default_price?.currency ?? 'USD');
  const value = numberOf(price);
  const [wasTried, setTried] = useState(false);
  const save = useAct(
    () =>
      call('PATCH /dashboard/api/games/{game_id}/{mode}/grant-rules', {
        params,
        body: {
          release_grant_after_seconds: release === '' ? null : Number(release),
          ...(params.mode === 'sandbox' && value !== null && { default_price: { price_decimal: value, currency } }),
        },
      }),
    { done: () => t('behaviour.saved') },
  );
  const known = release === '' || RELEASES.some(seconds => String(seconds) === release);
  const priceIssue =
    wasTried && params.mode === 'sandbox' && value === null ? t('items.issue.price_number') : undefined;
  const submit = (): void => {
    setTried(true);
    if (params.mode === 'live' || value !== null) save.mutate();
  };
  return (
    <div className="border-t border-line pt-6">
      <SettingsForm isLocked={!may('developer')} busy={save.isPending} onSave={submit}>
        <SelectField
          label={t('behaviour.release')}
          hint={t('behaviour.releaseHint')}
          value={release}
          error={issueOf(save.error, '/release_grant_after_seconds')}
          onChange={({ target }) => setRelease(target.value)}
        >
          <option value="">{t('behaviour.releaseDefault')}</option>
          {RELEASES.map(seconds => (
            <option key={seconds} value={seconds}>
              {t(`behaviour.release.${seconds}`)}
            </option>
          ))}
          {!known && <option value={release}>{t('behaviour.releaseSeconds', { seconds: release })}</option>}
        </SelectField>
        {params.mode === 'sandbox' && (
          <DefaultPrice
            {...{ price, setPrice, currency, setCurrency }}
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
      title={t('nav.behaviour')}
      about={t(params.mode === 'live' ? 'behaviour.aboutLive' : 'behaviour.aboutSandbox')}
      read={read}
    >
      {behaviour => <GrantRulesForm behaviour={behaviour} />}
    </SettingsPage>
  );
}
