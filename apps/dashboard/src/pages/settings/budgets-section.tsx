import type { Budget } from '@coinslot/contract';
import { formatNumber } from '../../kit/format.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { ReadProblem } from '../../ui/loading.tsx';
import { Section } from '../../ui/page.tsx';

const usedText = ({ used, most }: Budget): string =>
  most === null
    ? t('budget.unlimited', { used: formatNumber(language, used) })
    : t('budget.used', { used: formatNumber(language, used), most: formatNumber(language, most) });

/** Nearly used up: calls beyond the budget are refused. */
const isNear = ({ used, most }: Budget): boolean => most !== null && used >= 0.8 * most;

export function BudgetsSection() {
  const { company_id } = useCurrentGame();
  const read = useRead('GET /dashboard/api/companies/{company_id}/budgets', { params: { company_id } });
  return (
    <Section title={t('budget.title')} about={t('budget.about')}>
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      <ul className="max-w-[640px] border-t border-line">
        {read.data?.data.map(budget => (
          <li key={budget.kind} className="flex flex-wrap justify-between gap-x-6 border-b border-line py-2">
            <span>{t(`budget.kind.${budget.kind}`)}</span>
            <span className={`tabular-nums ${isNear(budget) ? 'font-semibold text-warn' : 'text-soft'}`}>
              {usedText(budget)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
