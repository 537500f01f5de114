import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { t } from '../texts/texts.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

export const NotFound = () => (
  <div className="py-16">
    <EmptyState
      heading="h1"
      picture={<Compass size={24} />}
      title={t('notFound.title')}
      action={
        <Link to="/" className={buttonClass({ look: 'primary' })}>
          {t('notFound.home')}
        </Link>
      }
    >
      {t('notFound.about')}
    </EmptyState>
  </div>
);
