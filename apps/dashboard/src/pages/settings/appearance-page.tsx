import type { Appearance } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useHere } from '../../kit/session.tsx';
import { t } from '../../kit/texts.ts';
import { issueOf, useAct, useRead } from '../../kit/use-read.ts';
import { Button } from '../../ui/button.tsx';
import { useEnv } from '../../ui/env-link.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadProblem } from '../../ui/read-problem.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { AppearancePreview } from './appearance-preview.tsx';
import { isColor } from './contrast.ts';

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

interface AccentFieldProps {
  accent: string;
  setAccent(text: string): void;
  isLocked: boolean;
  error: string | undefined;
}

const AccentField = ({ accent, setAccent, isLocked, error }: AccentFieldProps) => (
  <div className="flex items-end gap-3">
    <input
      type="color"
      aria-label={t('appearance.pick')}
      disabled={isLocked}
      value={isColor(accent) ? accent : '#f2a900'}
      onChange={({ target }) => setAccent(target.value)}
      className="mb-5 h-10 w-14 shrink-0 rounded-md border border-edge bg-surface p-1"
    />
    <div className="flex-1">
      <TextField
        label={t('appearance.accent')}
        hint={t('appearance.accentHint')}
        placeholder="#f2a900"
        value={accent}
        disabled={isLocked}
        error={error}
        onChange={({ target }) => setAccent(target.value)}
      />
    </div>
  </div>
);

function AppearanceForm({ appearance }: { appearance: Appearance }) {
  const params = useEnv();
  const { may } = useHere();
  const [name, setName] = useState(appearance.name);
  const [icon, setIcon] = useState(appearance.icon_url ?? '');
  const [logo, setLogo] = useState(appearance.logo_url ?? '');
  const [accent, setAccent] = useState(appearance.accent_color ?? '');
  const save = useAct(
    () =>
      call('PATCH /dashboard/api/games/{game_id}/{mode}/appearance', {
        params,
        body: { name, icon_url: orNull(icon), logo_url: orNull(logo), accent_color: orNull(accent) },
      }),
    { done: () => t('appearance.saved') },
  );
  const isLocked = !may('developer');
  return (
    <div className="grid gap-x-12 gap-y-8 border-t border-line pt-6 lg:grid-cols-[1fr_420px]">
      <Form className="grid max-w-[480px] content-start gap-5" onSubmit={() => save.mutate()}>
        <TextField
          label={t('appearance.name')}
          value={name}
          disabled={isLocked}
          error={issueOf(save.error, '/name')}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          type="url"
          label={t('appearance.icon')}
          hint={t('appearance.iconHint')}
          placeholder="https://"
          value={icon}
          disabled={isLocked}
          error={issueOf(save.error, '/icon_url')}
          onChange={({ target }) => setIcon(target.value)}
        />
        <TextField
          type="url"
          label={t('appearance.logo')}
          hint={t('appearance.logoHint')}
          placeholder="https://"
          value={logo}
          disabled={isLocked}
          error={issueOf(save.error, '/logo_url')}
          onChange={({ target }) => setLogo(target.value)}
        />
        <AccentField {...{ accent, setAccent, isLocked }} error={issueOf(save.error, '/accent_color')} />
        {!isLocked && (
          <div>
            <Button type="submit" look="primary" busy={save.isPending}>
              {t('dialog.save')}
            </Button>
          </div>
        )}
      </Form>
      <div className="rounded-lg bg-ground px-4 py-10">
        <AppearancePreview name={name} iconUrl={icon.trim()} logoUrl={logo.trim()} accent={accent.trim()} />
      </div>
    </div>
  );
}

export function AppearancePage() {
  const params = useEnv();
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/appearance', { params });
  if (read.isPending) return <PageSkeleton />;
  return (
    <Page title={t('nav.appearance')} about={t('appearance.about')}>
      {read.isError ? (
        <ReadProblem error={read.error} retry={() => void read.refetch()} />
      ) : (
        <AppearanceForm appearance={read.data} />
      )}
    </Page>
  );
}
