import type { ErrorComponentProps } from '@tanstack/react-router';
import { CloudAlert } from 'lucide-react';
import { untilHeard } from '../kit/connection.ts';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';

/** A page whose code could not be loaded or threw, such as after an update of the server. */
export function PageFailed({ error }: ErrorComponentProps) {
  console.error(error);
  return (
    <Empty
      heading="h1"
      picture={<CloudAlert size={24} />}
      title={t('failed.title')}
      action={<Button onClick={() => void untilHeard().then(() => location.reload())}>{t('failed.reload')}</Button>}
    >
      {t('failed.about')}
    </Empty>
  );
}
