import { CircleAlert } from 'lucide-react';
import type { Problem } from '../kit/api.ts';
import { t } from '../kit/texts.ts';
import { Button } from './button.tsx';
import { Notice } from './page.tsx';
import { problemText } from './toast.tsx';

export const ReadProblem = ({ error, retry }: { error: Problem; retry(): void }) => (
  <Notice
    tone="bad"
    icon={<CircleAlert size={16} aria-hidden />}
    action={
      <Button size="small" onClick={retry}>
        {t('problem.again')}
      </Button>
    }
  >
    {problemText(error)}
  </Notice>
);
