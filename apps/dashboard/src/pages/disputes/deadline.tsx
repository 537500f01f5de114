import { useNow } from '../../kit/use-now.ts';
import { t } from '../../texts/texts.ts';
import { Time } from '../../ui/cells.tsx';
import { timeLeft } from './time-left.ts';

const TONES = { soon: 'text-danger font-semibold', near: 'text-warn font-semibold', far: 'text-soft' } as const;

/** The date by which the bank must have the evidence; counted in hours once it is near. */
export function Deadline({ at }: { at: number }) {
  const left = timeLeft(at, useNow());
  return (
    <>
      <Time at={at} />{' '}
      {left && (
        <span className={TONES[left.tone]}>
          (
          {left.unit === 'hour'
            ? t('dispute.hoursLeft', { count: left.count })
            : t('dispute.daysLeft', { count: left.count })}
          )
        </span>
      )}
    </>
  );
}
