import type { DashboardMethod } from '@coinslot/contract';
import type { UseMutationResult } from '@tanstack/react-query';
import { CreditCard, FlaskConical, HandCoins, Landmark, Lock, ReceiptText, Wallet } from 'lucide-react';
import { call, type Problem } from '../../kit/api.ts';
import { formatCountry, formatMoney } from '../../kit/format.ts';
import { useHere } from '../../kit/session.tsx';
import { language, t } from '../../kit/texts.ts';
import { useAct, useRead } from '../../kit/use-read.ts';
import { useEnv } from '../../ui/env-link.tsx';
import { Switch } from '../../ui/field.tsx';
import { Notice, Page, Section } from '../../ui/page.tsx';
import { ReadProblem } from '../../ui/read-problem.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';

const GROUPS = ['card', 'wallet', 'bank', 'later', 'debit', 'voucher'] as const;
const ICONS = {
  card: CreditCard,
  wallet: Wallet,
  bank: Landmark,
  later: HandCoins,
  debit: Landmark,
  voucher: ReceiptText,
} as const;

const FEW = 6;

function some(list: readonly string[] | null, any: string, name: (code: string) => string): string {
  if (list === null) return any;
  const shown = list.slice(0, FEW).map(name).join(', ');
  return list.length > FEW ? `${shown} ${t('methods.more', { count: list.length - FEW })}` : shown;
}

function limitText({ currency, min, max }: DashboardMethod['limits'][number]): string {
  const money = (minor: number): string => formatMoney(language, minor, currency);
  if (min !== null && max !== null) return `${money(min)} – ${money(max)}`;
  if (max !== null) return t('methods.upTo', { amount: money(max) });
  return min === null ? '' : t('methods.atLeast', { amount: money(min) });
}

function Traits({ method }: { method: DashboardMethod }) {
  const traits = [
    t(method.can_reserve ? 'methods.reserves' : 'methods.collectsFirst'),
    t(`methods.takes.${method.takes}`),
    ...(method.can_refund ? [] : [t('methods.noRefund')]),
    ...(method.can_save ? [t('methods.saves')] : []),
    ...method.limits.slice(0, 2).map(limitText),
  ];
  return <p className="text-12 text-faint">{traits.filter(text => text !== '').join(' · ')}</p>;
}

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
      done: ({ name, enabled }) => t(enabled ? 'methods.switchedOn' : 'methods.switchedOff', { name }),
      undo:
        ({ enabled }) =>
        () =>
          change.mutate(!enabled),
    },
  );
  return (
    <li className="flex items-center gap-4 border-b border-line py-3 first:border-t">
      <span className="grid size-10 shrink-0 place-items-center rounded-md bg-sunk text-soft max-sm:hidden">
        <Icon size={20} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{method.name}</p>
        <p className="text-soft">
          {some(method.countries, t('methods.anywhere'), code => formatCountry(language, code))} ·{' '}
          {some(method.currencies, t('methods.anyCurrency'), code => code)}
        </p>
        <Traits method={method} />
      </div>
      {!method.can_switch_off && (
        <span className="flex items-center gap-1 text-12 text-soft" id={`fixed-${method.id}`}>
          <Lock size={14} aria-hidden />
          <span className="max-sm:sr-only">{t('methods.fixed')}</span>
        </span>
      )}
      <Switch
        label={method.name}
        on={change.isPending ? change.variables : method.enabled}
        disabled={!method.can_switch_off || !may('owner')}
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
  if (read.isPending) return <PageSkeleton />;
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
