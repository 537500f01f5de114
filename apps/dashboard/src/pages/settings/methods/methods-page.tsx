import type { DashboardMethod } from '@coinslot/contract';
import type { UseMutationResult } from '@tanstack/react-query';
import { FlaskConical, Lock } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../kit/api.ts';
import type { Problem } from '../../../kit/problems.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useEnv } from '../../../kit/use-env.ts';
import { useAction, useRead } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { SelectField, Switch, TextField } from '../../../ui/field.tsx';
import { PageSkeleton, ReadProblem } from '../../../ui/loading.tsx';
import { Notice, Page, Section } from '../../../ui/page.tsx';
import { FailoverSetting } from '../failover-setting.tsx';
import { countriesOf, currenciesOf, findMethods, type MethodSearch, nameOf } from './find-methods.ts';
import { MethodBadge } from './method-badge.tsx';
import { MethodRoute } from './method-route.tsx';
import { countriesText, currenciesText, traitsText } from './method-text.ts';
import { OfferPreview } from './offer-preview.tsx';
import { RoutingRules } from './routing-rules.tsx';

const GROUPS = ['card', 'wallet', 'bank', 'later', 'debit', 'voucher'] as const;

function MethodRow({ method }: { method: DashboardMethod }) {
  const { company_id, may } = useCurrentGame();
  const change: UseMutationResult<DashboardMethod, Problem, boolean> = useAction(
    (enabled: boolean) =>
      call('PATCH /dashboard/api/companies/{company_id}/methods/{method}', {
        params: { company_id, method: method.id },
        body: { enabled },
      }),
    {
      done: changed => t(changed.enabled ? 'methods.switchedOn' : 'methods.switchedOff', { name: nameOf(changed) }),
      undo:
        ({ enabled }) =>
        () =>
          change.mutate(!enabled),
    },
  );
  return (
    <li className="flex items-start gap-4 border-b border-line py-3 first:border-t">
      <MethodBadge method={method} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{nameOf(method)}</p>
        <p className="text-soft">
          {countriesText(method.countries)} · {currenciesText(method.currencies)}
        </p>
        <p className="text-12 text-faint">{traitsText(method)}</p>
        <MethodRoute method={method} name={nameOf(method)} />
      </div>
      {!method.can_switch_off && (
        <span className="flex items-center gap-1 text-12 text-soft" id={`fixed-${method.id}`}>
          <Lock size={14} aria-hidden />
          <span className="max-sm:sr-only">{t('methods.fixed')}</span>
        </span>
      )}
      <Switch
        label={nameOf(method)}
        on={change.isPending ? change.variables : method.enabled}
        disabled={!method.can_switch_off || !may('switchMethods')}
        {...(!method.can_switch_off && { describedBy: `fixed-${method.id}` })}
        onChange={enabled => change.mutate(enabled)}
      />
    </li>
  );
}

interface SearchBarProps {
  all: readonly DashboardMethod[];
  search: MethodSearch;
  change(patch: Partial<MethodSearch>): void;
}

const SearchBar = ({ all, search, change }: SearchBarProps) => (
  <search className="grid items-end gap-3 sm:grid-cols-3">
    <TextField
      type="search"
      label={t('methods.search')}
      value={search.text}
      onChange={({ target }) => change({ text: target.value })}
    />
    <SelectField
      label={t('methods.country')}
      value={search.country}
      onChange={({ target }) => change({ country: target.value })}
    >
      <option value="">{t('methods.allCountries')}</option>
      {countriesOf(all).map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
    <SelectField
      label={t('column.currency')}
      value={search.currency}
      onChange={({ target }) => change({ currency: target.value })}
    >
      <option value="">{t('methods.allCurrencies')}</option>
      {currenciesOf(all).map(code => (
        <option key={code}>{code}</option>
      ))}
    </SelectField>
  </search>
);

export function MethodsPage() {
  const { company_id } = useCurrentGame();
  const { mode } = useEnv();
  const read = useRead('GET /dashboard/api/companies/{company_id}/methods', { params: { company_id } });
  const providers = useRead('GET /dashboard/api/companies/{company_id}/providers', { params: { company_id } });
  const [search, setSearch] = useState<MethodSearch>({ text: '', country: '', currency: '' });
  if (read.isPending) return <PageSkeleton />;
  const connected = providers.data?.data.flatMap(({ connections }) => connections) ?? [];
  const all = read.data?.data ?? [];
  const found = findMethods(all, search);
  return (
    <Page title={t('nav.methods')} about={t('methods.about')} guide="methods">
      {mode === 'sandbox' && (
        <div className="pb-6">
          <Notice tone="warn" icon={<FlaskConical size={16} aria-hidden />}>
            {t('methods.sandbox')}
          </Notice>
        </div>
      )}
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      <SearchBar all={all} search={search} change={patch => setSearch({ ...search, ...patch })} />
      {search.currency === '' ? (
        <p className="pt-3 text-soft">{t('methods.seesHow')}</p>
      ) : (
        <OfferPreview country={search.country} currency={search.currency} />
      )}
      {connected.length > 0 && (
        <div className="pt-6">
          <RoutingRules methods={all} providers={providers.data?.data ?? []} />
        </div>
      )}
      {connected.length > 1 && (
        <>
          <FailoverSetting on={providers.data?.fails_over ?? false} />
          <p className="pt-4 text-soft">{t('methods.routesAbout')}</p>
        </>
      )}
      <p role="status" className="pt-6 text-12 text-soft">
        {t('methods.found', { count: found.length })}
      </p>
      {GROUPS.map(group => {
        const methods = found.filter(method => method.group === group);
        return methods.length === 0 ? null : (
          <Section key={group} title={t(`methods.group.${group}`)} className="border-t-0 py-4">
            <ul>
              {methods.map(method => (
                <MethodRow key={method.id} method={method} />
              ))}
            </ul>
          </Section>
        );
      })}
    </Page>
  );
}
