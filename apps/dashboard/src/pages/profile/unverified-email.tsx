import { MailWarning } from 'lucide-react';
import { call } from '../../kit/api.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/page.tsx';

/** Shown until the address is confirmed. An installation without a mail server shows the link itself. */
export function UnverifiedEmail({ email }: { email: string }) {
  const send = useAction(() => call('POST /dashboard/api/me/email/verification'), {
    done: ({ url }) => (url ? t('verify.link') : t('verify.sent', { email })),
  });
  const url = send.data?.url;
  return (
    <Notice
      tone="warn"
      icon={<MailWarning size={16} aria-hidden />}
      action={
        url ? (
          <a href={url} className={buttonClass({ size: 'small' })}>
            {t('confirmEmail.do')}
          </a>
        ) : (
          <Button size="small" busy={send.isPending} onClick={() => send.mutate()}>
            {t('verify.send')}
          </Button>
        )
      }
    >
      {t('verify.about')}
    </Notice>
  );
}
