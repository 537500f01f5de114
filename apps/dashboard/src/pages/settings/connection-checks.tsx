import type { ConnectionCheck } from '@coinslot/contract';
import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import { t } from '../../texts/texts.ts';

const ICONS = { ok: CircleCheck, warning: TriangleAlert, failed: CircleAlert, unknown: CircleHelp } as const;
const TONES = { ok: 'text-good', warning: 'text-warn', failed: 'text-bad', unknown: 'text-faint' } as const;
const WORST = ['failed', 'warning', 'ok', 'unknown'] as const;

/** The guide has a section for every check, with the check's name as its anchor. */
const guideOf = (check: ConnectionCheck['check']): string =>
  `/docs/guides/connection-checks#${check.replaceAll('_', '-')}`;

function CheckRow({ results }: { results: readonly [ConnectionCheck, ...ConnectionCheck[]] }) {
  const [{ check, about }] = results;
  const state = WORST.find(one => results.some(result => result.state === one)) ?? 'unknown';
  const Icon = ICONS[state];
  const ready = results.filter(result => result.state === 'ok').length;
  const advice = results.flatMap(result => result.advice ?? []);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 border-b border-line py-3 first:border-t">
      <Icon size={16} aria-hidden className={`mt-0.5 ${TONES[state]}`} />
      <div className="min-w-0">
        <p className="flex flex-wrap gap-x-2">
          <span className="font-semibold">{t(`check.${check}`)}</span>
          <span className={TONES[state]}>{t(`check.state.${state}`)}</span>
          <span className="min-w-0 break-words text-soft">
            {results.length > 1 ? t('check.ready', { count: ready }) : about}
          </span>
        </p>
        {advice.map(line => (
          <p key={line} className="pt-1 break-words">
            {line}
          </p>
        ))}
        {advice.length > 0 && (
          <a className="inline-block py-1 text-link hover:underline" href={guideOf(check)}>
            {t('check.guide')}
          </a>
        )}
      </div>
    </li>
  );
}

/** Shows the results of the last test, one row for each check. */
export function ConnectionChecks({ checks }: { checks: readonly ConnectionCheck[] }) {
  const names = [...new Set(checks.map(({ check }) => check))];
  return (
    <ul aria-label={t('provider.tests')}>
      {names.map(name => {
        const [first, ...more] = checks.filter(({ check }) => check === name);
        return first && <CheckRow key={name} results={[first, ...more]} />;
      })}
    </ul>
  );
}
