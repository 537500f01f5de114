import { Link } from '@tanstack/react-router';
import { ArrowRight, Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Ago } from '../../ui/cells.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { Card } from '../../ui/page.tsx';
import { doneAt, FIRST_STEPS, type FirstStep, openSteps } from './home-figures.ts';
import { TestOrder } from './test-order.tsx';

const hiddenKey = (gameId: string): string => `coinslot.checklist.hidden.${gameId}`;

function Row({
  step,
  at,
  isNext,
  children,
}: {
  step: FirstStep;
  at: number | null;
  isNext: boolean;
  children: ReactNode;
}) {
  return (
    <li className="flex gap-4 border-t border-line px-5 py-4 first:border-t-0">
      <span
        aria-hidden
        className={`grid size-6 shrink-0 place-items-center rounded-full border text-12 font-semibold ${at === null ? (isNext ? 'border-mark text-mark' : 'border-edge text-faint') : 'border-good bg-good text-surface'}`}
      >
        {at === null ? FIRST_STEPS.indexOf(step) + 1 : <Check size={14} />}
      </span>
      <div className="min-w-0 flex-1">
        <p className={`flex flex-wrap justify-between gap-x-4 ${at === null ? 'font-semibold' : 'text-soft'}`}>
          {t(`checklist.${step}`)}
          {at !== null && (
            <span className="text-12 text-faint">
              {t('checklist.done')} <Ago at={at} />
            </span>
          )}
        </p>
        {isNext && <div className="pt-1 text-soft">{children}</div>}
      </div>
    </li>
  );
}

const HELP: Readonly<Record<FirstStep, () => ReactNode>> = {
  order: () => <TestOrder />,
  pay: () => (
    <>
      <p className="max-w-[65ch]">
        {t('checklist.payAbout')} <code className="font-mono text-ink">4242 4242 4242 4242</code>
      </p>
      <div className="pt-3">
        <EnvLink to="orders" className={buttonClass({ look: 'primary', size: 'small' })}>
          {t('checklist.payDo')}
          <ArrowRight size={14} aria-hidden />
        </EnvLink>
      </div>
    </>
  ),
  webhook: () => (
    <>
      <p className="max-w-[65ch]">{t('checklist.webhookAbout')}</p>
      <div className="pt-3">
        <EnvLink
          to="integration/webhooks"
          search={{ add: '1' }}
          className={buttonClass({ look: 'primary', size: 'small' })}
        >
          {t('webhooks.add')}
        </EnvLink>
      </div>
    </>
  ),
  grant: () => (
    <>
      <p className="max-w-[65ch]">{t('checklist.grantAbout')}</p>
      <div className="pt-3">
        <EnvLink to="grants" className={buttonClass({ size: 'small' })}>
          {t('home.seeGrants')}
        </EnvLink>
      </div>
    </>
  ),
  seller: () => (
    <>
      <p className="max-w-[65ch]">{t('checklist.sellerAbout')}</p>
      <div className="pt-3">
        <EnvLink to="settings/company" className={buttonClass({ look: 'primary', size: 'small' })}>
          {t('checklist.sellerDo')}
          <ArrowRight size={14} aria-hidden />
        </EnvLink>
      </div>
    </>
  ),
};

/** The first steps are made in the sandbox. */
export function useChecklist() {
  const { game_id } = useEnv();
  return useRead('GET /dashboard/api/games/{game_id}/{mode}/checklist', { params: { game_id, mode: 'sandbox' } });
}

/**
 * A step is checked off by what really happened, never by hand. The list is not shown if all is done, if the member has hidden it,
 * or if the member may not take its steps.
 */
export function Checklist() {
  const { game_id, mode } = useEnv();
  const { may } = useCurrentGame();
  const [isHidden, setHidden] = useState(() => localStorage.getItem(hiddenKey(game_id)) !== null);
  const read = useChecklist();
  if (!read.data || isHidden || !may('makeTestOrder')) return null;
  const steps = read.data;
  const open = openSteps(steps);
  if (open.length === 0) return null;
  const hide = (): void => {
    localStorage.setItem(hiddenKey(game_id), 'on');
    setHidden(true);
  };
  return (
    <Card className="mb-8 overflow-hidden">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-ground px-5 py-4">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="flex items-center gap-2 text-16 font-semibold">{t('checklist.title')}</h2>
          <p className="text-soft">
            {t('checklist.progress', { done: FIRST_STEPS.length - open.length, all: FIRST_STEPS.length })}
          </p>
        </div>
        <Button size="small" onClick={hide}>
          {t('checklist.hide')}
        </Button>
        {mode === 'live' && (
          <Link to={`/g/${game_id}/sandbox`} className={buttonClass({ size: 'small' })}>
            {t('checklist.toSandbox')}
          </Link>
        )}
      </div>
      <ol>
        {FIRST_STEPS.map(step => (
          <Row key={step} step={step} at={doneAt(steps, step)} isNext={mode === 'sandbox' && step === open[0]}>
            {HELP[step]()}
          </Row>
        ))}
      </ol>
    </Card>
  );
}
