import type { DashboardMethod, ProviderState, RoutingRule } from '@coinslot/contract';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../kit/api.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useAction, useRead } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ReadProblem } from '../../../ui/loading.tsx';
import { Section } from '../../../ui/page.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { conditionText, swapped, targetText } from './rule-text.ts';

interface RoutingRulesProps {
  methods: readonly DashboardMethod[];
  providers: readonly ProviderState[];
}

/** The company's rules in order. The first that matches decides, so that their order can be changed. */
export function RoutingRules({ methods, providers }: RoutingRulesProps) {
  const { company_id, company, may } = useCurrentGame();
  const [isAdding, setAdding] = useState(false);
  const read = useRead('GET /dashboard/api/companies/{company_id}/routing', { params: { company_id } });
  const save = useAction(
    (rules: RoutingRule[]) =>
      call('PUT /dashboard/api/companies/{company_id}/routing', { params: { company_id }, body: { rules } }),
    { done: () => t('rules.saved') },
  );
  const rules = read.data?.rules ?? [];
  const mayChange = may('switchMethods') && !save.isPending;
  return (
    <Section
      title={t('rules.title')}
      about={t('rules.about')}
      actions={
        may('switchMethods') && (
          <Button icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            {t('rules.add')}
          </Button>
        )
      }
    >
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {rules.length === 0 && !read.isError && <p className="text-soft">{t('rules.none')}</p>}
      <ol>
        {rules.map((rule, i) => (
          <li
            // Two rules may be the same, so that only their place tells them apart.
            key={i}
            className="flex items-center gap-3 border-b border-line py-2 first:border-t"
          >
            <span className="w-6 shrink-0 text-right text-soft">{i + 1}</span>
            <div className="min-w-0 flex-1">
              <p>{conditionText(rule, methods, company.games)}</p>
              <p className="text-12 text-soft">{targetText(rule, providers)}</p>
            </div>
            <IconButton
              label={t('rules.up', { n: i + 1 })}
              icon={<ArrowUp size={16} aria-hidden />}
              disabled={!mayChange || i === 0}
              onClick={() => save.mutate(swapped(rules, i, i - 1))}
            />
            <IconButton
              label={t('rules.down', { n: i + 1 })}
              icon={<ArrowDown size={16} aria-hidden />}
              disabled={!mayChange || i === rules.length - 1}
              onClick={() => save.mutate(swapped(rules, i, i + 1))}
            />
            <IconButton
              label={t('rules.remove', { n: i + 1 })}
              icon={<Trash2 size={16} aria-hidden />}
              disabled={!mayChange}
              onClick={() => save.mutate(rules.filter((_, at) => at !== i))}
            />
          </li>
        ))}
      </ol>
      {isAdding && (
        <RuleDialog rules={rules} methods={methods} providers={providers} onClose={() => setAdding(false)} />
      )}
    </Section>
  );
}
