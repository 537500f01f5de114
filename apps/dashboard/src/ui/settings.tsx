import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Problem } from '../kit/problems.ts';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import { Form } from './form.tsx';
import { PageSkeleton, ReadProblem } from './loading.tsx';
import { Page } from './page.tsx';

interface SettingsPageProps<Settings> {
  title: string;
  about: string;
  read: UseQueryResult<Settings, Problem>;
  children(settings: Settings): ReactNode;
}

/** The form is rendered only after the settings were read, because it starts with what is saved. */
export function SettingsPage<Settings>({ title, about, read, children }: SettingsPageProps<Settings>) {
  if (read.isPending) return <PageSkeleton />;
  return (
    <Page title={title} about={about}>
      {read.isError ? <ReadProblem error={read.error} retry={() => void read.refetch()} /> : children(read.data)}
    </Page>
  );
}

interface SettingsFormProps {
  /** A member without permission to change the settings can still read them. */
  isLocked: boolean;
  busy: boolean;
  onSave(): void;
  /** The form equals what is saved. */
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
