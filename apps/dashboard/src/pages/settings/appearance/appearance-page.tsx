import type { Appearance } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../../kit/api.ts';
import { isColor, isSame, orNull } from '../../../kit/forms.ts';
import { issueOf } from '../../../kit/problems.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useEnv } from '../../../kit/use-env.ts';
import { useAction, useRead } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { TextField } from '../../../ui/field.tsx';
import { SettingsForm, SettingsPage } from '../../../ui/settings.tsx';
import { AppearancePreview } from './appearance-preview.tsx';
import { IconField, isUploaded } from './icon-field.tsx';

interface AccentFieldProps {
  accent: string;
  setAccent(text: string): void;
  error: string | undefined;
}

const AccentField = ({ accent, setAccent, error }: AccentFieldProps) => (
  <div className="flex items-start gap-3">
    <input
      type="color"
      aria-label={t('appearance.pick')}
      value={isColor(accent) ? accent : '#f2a900'}
      onChange={({ target }) => setAccent(target.value)}
      className="mt-6 h-10 w-14 shrink-0 rounded-md border border-edge bg-surface p-1"
    />
    <div className="flex-1">
      <TextField
        label={t('appearance.accent')}
        hint={t('appearance.accentHint')}
        placeholder="#f2a900"
        value={accent}
        error={error}
        onChange={({ target }) => setAccent(target.value)}
      />
    </div>
  </div>
);

function AppearanceForm({ appearance }: { appearance: Appearance }) {
  const params = useEnv();
  const { may } = useCurrentGame();
  const [name, setName] = useState(appearance.name);
  const uploaded = isUploaded(appearance.icon_url);
  const [icon, setIcon] = useState(uploaded ? '' : (appearance.icon_url ?? ''));
  const [logo, setLogo] = useState(appearance.logo_url ?? '');
  const [accent, setAccent] = useState(appearance.accent_color ?? '');
  const form = {
    name,
    ...(!uploaded && { icon_url: orNull(icon) }),
    logo_url: orNull(logo),
    accent_color: orNull(accent),
  };
  const save = useAction(
    () =>
      call('PATCH /dashboard/api/games/{game_id}/{mode}/appearance', {
        params,
        body: form,
      }),
    { done: () => t('appearance.saved') },
  );
  return (
    <div className="grid gap-x-12 gap-y-8 border-t border-line pt-6 lg:grid-cols-[minmax(0,1fr)_420px]">
      <SettingsForm
        isLocked={!may('changeAppearance')}
        busy={save.isPending}
        isSame={isSame(form, appearance)}
        onSave={() => save.mutate()}
      >
        <TextField
          label={t('appearance.name')}
          value={name}
          error={issueOf(save.error, '/name')}
          onChange={({ target }) => setName(target.value)}
        />
        <IconField
          appearance={appearance}
          name={name}
          address={icon}
          setAddress={setIcon}
          error={issueOf(save.error, '/icon_url')}
        />
        <TextField
          type="url"
          label={t('appearance.logo')}
          hint={t('appearance.logoHint')}
          placeholder="https://"
          value={logo}
          error={issueOf(save.error, '/logo_url')}
          onChange={({ target }) => setLogo(target.value)}
        />
        <AccentField {...{ accent, setAccent }} error={issueOf(save.error, '/accent_color')} />
      </SettingsForm>
      <AppearancePreview
        looks={{ name, ...(!uploaded && { icon_url: icon }), logo_url: logo, accent_color: accent }}
        version={JSON.stringify(appearance)}
      />
    </div>
  );
}

export function AppearancePage() {
  const params = useEnv();
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/appearance', { params });
  return (
    <SettingsPage title={t('nav.appearance')} about={t('appearance.about')} read={read}>
      {appearance => <AppearanceForm appearance={appearance} />}
    </SettingsPage>
  );
}
