import { Lock } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { initialOf } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { language, t } from '../../texts/texts.ts';
import { ItemPicture } from '../../ui/pictures.tsx';
import { inkOn, isColor } from './contrast.ts';

interface AppearancePreviewProps {
  name: string;
  iconUrl: string;
  logoUrl: string;
  accent: string;
}

const DEFAULT_ACCENT = '#f2a900';

/** A small checkout page. The color is set through the CSSOM, because the policy forbids style attributes. */
export function AppearancePreview({ name, iconUrl, logoUrl, accent }: AppearancePreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const color = isColor(accent) ? accent : DEFAULT_ACCENT;
  useEffect(() => {
    box.current?.style.setProperty('--preview', color);
    box.current?.style.setProperty('--preview-ink', inkOn(color));
  }, [color]);
  const price = formatMoney(language, 499, 'USD');
  return (
    <div
      ref={box}
      className="mx-auto w-full max-w-[360px] rounded-lg border border-line bg-surface p-6 shadow-float"
      aria-label={t('appearance.preview')}
      role="img"
    >
      <div className="flex items-center gap-3 pb-4">
        {iconUrl ? (
          <img src={iconUrl} alt="" className="size-11 rounded-md bg-sunk object-cover" />
        ) : (
          <span className="grid size-11 place-items-center rounded-md bg-(--preview) text-20 font-semibold text-(--preview-ink)">
            {initialOf(name)}
          </span>
        )}
        <span className="min-w-0 flex-1 truncate text-16 font-semibold">{name || '…'}</span>
        {logoUrl && <img src={logoUrl} alt="" className="h-8 max-w-28 object-contain" />}
      </div>
      <div className="flex items-center gap-3 border-y border-line py-3">
        <ItemPicture url={null} className="size-12" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{t('appearance.sampleItem')}</p>
          <p className="text-12 text-soft">{t('appearance.sampleAbout')}</p>
        </div>
        <span>{price}</span>
      </div>
      <p className="flex items-baseline justify-between py-3 font-semibold">
        {t('order.total')} <span className="text-28">{price}</span>
      </p>
      <div className="grid gap-3 pb-4">
        <span className="block h-11 rounded-md border border-edge" />
        <span className="grid grid-cols-2 gap-3">
          <span className="block h-11 rounded-md border border-edge" />
          <span className="block h-11 rounded-md border border-edge" />
        </span>
      </div>
      <span className="flex h-13 items-center justify-center gap-2 rounded-lg bg-(--preview) text-16 font-semibold text-(--preview-ink)">
        <Lock size={16} aria-hidden />
        {t('appearance.samplePay', { price })}
      </span>
    </div>
  );
}
