import type { DashboardMethod } from '@coinslot/contract';
import { call } from '../../../kit/api.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useAction } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { SelectField } from '../../../ui/field.tsx';
import { providerText } from './method-text.ts';

const AUTOMATIC = '';

/** Lets a member choose which provider handles the method. If only one can, it is named without a choice. */
export function MethodRoute({ method, name }: { method: DashboardMethod; name: string }) {
  const { company_id, may } = useCurrentGame();
  const { takers } = method;
  const titleOf = (provider: string): string => takers.find(taker => taker.provider === provider)?.title ?? provider;
  const change = useAction(
    (route: string | null) =>
      call('PATCH /dashboard/api/companies/{company_id}/methods/{method}', {
        params: { company_id, method: method.id },
        body: { route },
      }),
    {
      done: ({ route }) =>
        route === null ? t('methods.routedAuto', { name }) : t('methods.routed', { name, provider: titleOf(route) }),
    },
  );
  const connected = takers.filter(taker => taker.connected);
  const [only] = connected;
  if (!only) return method.enabled && <p className="text-12 text-warn">{t('methods.routeNone')}</p>;
  if (connected.length === 1 && method.route === null) {
    return <p className="text-12 text-soft">{t('methods.routeBy', { provider: only.title })}</p>;
  }
  return (
    <div className="max-w-[420px] pt-2">
      <SelectField
        label={t('methods.route')}
        aria-label={`${name}: ${t('methods.route')}`}
        value={change.isPending ? (change.variables ?? AUTOMATIC) : (method.route ?? AUTOMATIC)}
        disabled={!may('switchMethods') || change.isPending}
        onChange={({ target }) => change.mutate(target.value === AUTOMATIC ? null : target.value)}
      >
        <option value={AUTOMATIC}>{t('methods.routeAuto')}</option>
        {takers.map(taker => (
          <option key={taker.provider} value={taker.provider}>
            {taker.connected ? taker.title : t('methods.routeOff', { provider: taker.title })}
          </option>
        ))}
      </SelectField>
      <ul className="pt-1 text-12 text-soft">
        {connected.map(taker => (
          <li key={taker.provider}>{providerText(taker)}</li>
        ))}
      </ul>
    </div>
  );
}
