import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../kit/api.ts';
import { problemText } from '../../kit/problems.ts';
import { readSession } from '../../kit/session.ts';
import { useAct } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/page.tsx';
import { Entrance, tokenOfAddress } from './entrance.tsx';

/** A press of a button, because mail programs open links to look at them. */
export function ConfirmEmailPage() {
  const [token] = useState(() => tokenOfAddress(location.hash));
  useEffect(() => void readSession().catch(() => undefined), []);
  const confirm = useAct(() => call('POST /dashboard/api/email_changes/use', { body: { token } }), { quiet: true });
  return (
    <Entrance title={t('confirmEmail.title')} about={t('confirmEmail.about')}>
      {confirm.isSuccess ? (
        <div className="grid gap-4">
          <Notice tone="good" icon={<CircleCheck size={16} aria-hidden />}>
            {t('confirmEmail.done')}
          </Notice>
          <Link to="/" className={buttonClass({ look: 'primary', size: 'big' })}>
            {t('notFound.home')}
          </Link>
        </div>
      ) : (
        <div className="grid gap-4">
          {confirm.error && (
            <p role="alert" className="text-bad">
              {problemText(confirm.error)}
            </p>
          )}
          <Button look="primary" size="big" busy={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('confirmEmail.do')}
          </Button>
        </div>
      )}
    </Entrance>
  );
}
