import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { t } from '../texts/texts.ts';
import { buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';

export const NotFound = () => (
  <div className="py-16">
    <Empty
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
    </Empty>
  </div>
);
