import type { ErrorComponentProps } from '@tanstack/react-router';
import { CloudAlert } from 'lucide-react';
import { untilOnline } from '../kit/connection.ts';
import { t } from '../texts/texts.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** Shown if a page threw an error or its code could not be loaded, as after an update of the server. */
export function PageFailed({ error }: ErrorComponentProps) {
  console.error(error);
  return (
    <EmptyState
      heading="h1"
      picture={<CloudAlert size={24} />}
      title={t('failed.title')}
      action={<Button onClick={() => void untilOnline().then(() => location.reload())}>{t('failed.reload')}</Button>}
    >
      {t('failed.about')}
    </EmptyState>
  );
}
