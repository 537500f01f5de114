import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Problem } from '../kit/api.ts';
import { t } from '../kit/texts.ts';
import { Button } from './button.tsx';
import { Form } from './form.tsx';
import { Page } from './page.tsx';
import { ReadProblem } from './read-problem.tsx';
import { PageSkeleton } from './skeleton.tsx';

interface SettingsPageProps<Settings> {
  title: string;
  about: string;
  read: UseQueryResult<Settings, Problem>;
  children(settings: Settings): ReactNode;
}

/** Settings are read whole before their form is drawn, because a form begins with what is kept. */
export function SettingsPage<Settings>({ title, about, read, children }: SettingsPageProps<Settings>) {
  if (read.isPending) return <PageSkeleton />;
  return (
    <Page title={title} about={about}>
      {read.isError ? <ReadProblem error={read.error} retry={() => void read.refetch()} /> : children(read.data)}
    </Page>
  );
}

interface SettingsFormProps {
  /** Who may not change them can still read them. */
  isLocked: boolean;
  busy: boolean;
  onSave(): void;
  /** Nothing to save yet. */
  isSame?: boolean;
  children: ReactNode;
}

export const SettingsForm = ({ isLocked, busy, onSave, isSame = false, children }: SettingsFormProps) => (
  <Form className="max-w-[480px]" onSubmit={onSave}>
    <fieldset disabled={isLocked} className="grid content-start gap-5">
      {children}
      {!isLocked && (
        <div>
          <Button type="submit" look="primary" busy={busy} disabled={isSame}>
            {t('dialog.save')}
          </Button>
        </div>
      )}
    </fieldset>
  </Form>
);

export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
