import type { DashboardMethod } from '@coinslot/contract';
import { call } from '../../../kit/api.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useAction } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { SelectField, Switch } from '../../../ui/field.tsx';
import { providerText, takerText } from './method-text.ts';

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
  if (connected.length === 1 && method.route === null && only.enabled) {
    return only.available ? (
      <p className="text-12 text-soft">{t('methods.routeBy', { provider: takerText(only) })}</p>
    ) : (
      method.enabled && <p className="text-12 text-warn">{t('methods.takerUnavailable', { provider: only.title })}</p>
    );
  }
  return (
    <div className="max-w-[420px] pt-2">
      <SelectField
        label={t('methods.route')}
        hint={t('methods.routeAutoHint')}
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
      <ul className="pt-1 text-12">
        {connected.map(taker => (
          <TakerRow key={taker.provider} method={method} taker={taker} name={name} />
        ))}
      </ul>
    </div>
  );
}

interface TakerRowProps {
  method: DashboardMethod;
  taker: DashboardMethod['takers'][number];
  name: string;
}

/** What one provider can do for the method, and whether it may. */
function TakerRow({ method, taker, name }: TakerRowProps) {
  const { company_id, may } = useCurrentGame();
  const { provider, title, available } = taker;
  const change = useAction(
    (enabled: boolean) =>
      call('PATCH /dashboard/api/companies/{company_id}/methods/{method}', {
        params: { company_id, method: method.id },
        body: { taker: { provider, enabled } },
      }),
    {
      done: ({ takers }) => {
        const isOn = takers.find(one => one.provider === provider)?.enabled;
        return t(isOn ? 'methods.takerOn' : 'methods.takerOff', { provider: title, name });
      },
    },
  );
  const isOn = change.isPending ? change.variables : taker.enabled;
  return (
    <li className="flex items-start justify-between gap-3 py-1">
      {available ? (
        <span className={isOn ? 'text-soft' : 'text-faint line-through'}>{providerText(taker)}</span>
      ) : (
        <span className="text-warn">{t('methods.takerUnavailable', { provider: title })}</span>
      )}
      {available && (
        <Switch
          label={`${name}: ${t('methods.taker', { provider: title })}`}
          on={isOn}
          disabled={!may('switchMethods') || change.isPending}
          onChange={enabled => change.mutate(enabled)}
        />
      )}
    </li>
  );
}
