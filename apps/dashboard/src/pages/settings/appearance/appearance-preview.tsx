import type { PreviewState } from '@coinslot/contract';
import { useEffect, useState } from 'react';
import { addressOf } from '../../../kit/address.ts';
import { isDark } from '../../../kit/theme.ts';
import { useEnv } from '../../../kit/use-env.ts';
import { language, t } from '../../../texts/texts.ts';
import { Segments } from '../../../ui/segments.tsx';

/** The form's current content, saved or not. */
export interface PreviewedAppearance {
  name: string;
  /** Left out while the icon is an uploaded one. */
  icon_url?: string;
  logo_url: string;
  accent_color: string;
}

const STATES: readonly PreviewState[] = ['ready', 'declined', 'waiting', 'done', 'rejected', 'receipt'];

const TYPING_MS = 300;

/** An empty parameter shows nothing, while a missing one would show the saved value. */
const emptied = (text: string): string => text.trim() || ' ';

/** Waits until typing pauses, so that not every key press loads the preview. */
function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as Value;
}

/** The desktop frame is 1,120 px wide and scaled to three eighths. The phone frame is not scaled. */
const FRAMES = {
  phone: { box: 'h-[720px] max-w-[390px]', page: 'h-full w-full' },
  desk: { box: 'aspect-[1120/800] max-w-[420px]', page: 'h-[800px] w-[1120px] origin-top-left scale-[0.375]' },
} as const;

/** A new `version` reloads the preview after a change that no field shows, such as an uploaded icon. */
export function AppearancePreview({ looks, version }: { looks: PreviewedAppearance; version: string }) {
  const params = useEnv();
  const [state, setState] = useState<PreviewState>('ready');
  const [theme, setTheme] = useState<'light' | 'dark'>(isDark() ? 'dark' : 'light');
  const [size, setSize] = useState<keyof typeof FRAMES>('phone');
  const { name, icon_url, logo_url, accent_color } = useSettled(looks);
  const query = {
    state,
    theme,
    locale: language,
    name,
    logo_url: emptied(logo_url),
    accent_color: emptied(accent_color),
    ...(icon_url !== undefined && { icon_url: emptied(icon_url) }),
  };
  const src = addressOf('/dashboard/api/games/{game_id}/{mode}/appearance/preview', { params, query });
  const frame = FRAMES[size];
  return (
    <section aria-label={t('appearance.preview')} className="grid content-start justify-items-center gap-4">
      <div className="flex flex-wrap justify-center gap-2">
        <Segments<'light' | 'dark'>
          label={t('appearance.theme')}
          choices={[
            ['light', t('theme.light')],
            ['dark', t('theme.dark')],
          ]}
          value={theme}
          onChange={setTheme}
        />
        <Segments<keyof typeof FRAMES>
          label={t('appearance.size')}
          choices={[
            ['phone', t('appearance.phone')],
            ['desk', t('appearance.desk')],
          ]}
          value={size}
          onChange={setSize}
        />
        <select
          aria-label={t('appearance.state')}
          value={state}
          onChange={({ target }) => setState(target.value as PreviewState)}
          className="h-8 rounded-md border border-edge bg-surface px-2 touch-44"
        >
          {STATES.map(one => (
            <option key={one} value={one}>
              {t(`appearance.state.${one}`)}
            </option>
          ))}
        </select>
      </div>
      <div className={`w-full overflow-hidden rounded-lg border border-line ${frame.box}`}>
        <iframe key={version} title={t('appearance.preview')} src={src} sandbox="" className={frame.page} />
      </div>
    </section>
  );
}
