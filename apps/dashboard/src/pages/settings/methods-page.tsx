import type { DashboardMethod } from '@coinslot/contract';
import type { UseMutationResult } from '@tanstack/react-query';
import { CreditCard, FlaskConical, HandCoins, Landmark, Lock, ReceiptText, Wallet } from 'lucide-react';
import { call } from '../../kit/api.ts';
import type { Problem } from '../../kit/problems.ts';
import { useHere } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAct, useRead } from '../../kit/use-read.ts';
import { t, tryText } from '../../texts/texts.ts';
import { Switch } from '../../ui/field.tsx';
import { Notice, Page, Section } from '../../ui/page.tsx';
import { PageSkeleton, ReadProblem } from '../../ui/reading.tsx';
import { FailOver } from './fail-over.tsx';
import { MethodRoute } from './method-route.tsx';
import { countriesText, currenciesText, traitsText } from './method-text.ts';

const nameOf = ({ id, name }: DashboardMethod): string => tryText(`method.${id}`) ?? name;

const GROUPS = ['card', 'wallet', 'bank', 'later', 'debit', 'voucher'] as const;
const ICONS = {
  card: CreditCard,
  wallet: Wallet,
  bank: Landmark,
  later: HandCoins,
  debit: Landmark,
  voucher: ReceiptText,
} as const;

function MethodRow({ method }: { method: DashboardMethod }) {
  const { company_id, may } = useHere();
  const Icon = ICONS[method.group];
  const change: UseMutationResult<DashboardMethod, Problem, boolean> = useAct(
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
      <span className="grid size-10 shrink-0 place-items-center rounded-md bg-sunk text-soft max-sm:hidden">
        <Icon size={20} aria-hidden />
      </span>
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

export function MethodsPage() {
  const { company_id } = useHere();
  const { mode } = useEnv();
  const read = useRead('GET /dashboard/api/companies/{company_id}/methods', { params: { company_id } });
  const providers = useRead('GET /dashboard/api/companies/{company_id}/providers', { params: { company_id } });
  if (read.isPending) return <PageSkeleton />;
  const connected = providers.data?.data.filter(({ connection }) => connection) ?? [];
  const all = read.data?.data ?? [];
  return (
    <Page title={t('nav.methods')} about={t('methods.about')}>
      {mode === 'sandbox' && (
        <div className="pb-6">
          <Notice tone="warn" icon={<FlaskConical size={16} aria-hidden />}>
            {t('methods.sandbox')}
          </Notice>
        </div>
      )}
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {connected.length > 1 && (
        <>
          <FailOver on={providers.data?.fails_over ?? false} />
          <p className="pt-4 text-soft">{t('methods.routesAbout')}</p>
        </>
      )}
      {GROUPS.map(group => {
        const methods = all.filter(method => method.group === group);
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
