import type { Appearance } from '@coinslot/contract';
import { ImageUp, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { call } from '../../../kit/api.ts';
import { issueOf } from '../../../kit/problems.ts';
import { useEnv } from '../../../kit/use-env.ts';
import { useAction } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { FieldError, TextField } from '../../../ui/field.tsx';
import { GameTile } from '../../../ui/images.tsx';

const READABLE = 'image/png,image/jpeg,image/webp';

/** Three times the displayed size, for dense screens. Any image of this size fits into a request. */
const SIDE = 192;

/**
 * Crops any image that the browser can read to its middle square, as base64 PNG. The server accepts no other format.
 */
async function squarePng(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  context.drawImage(bitmap, left, top, side, side, 0, 0, SIDE, SIDE);
  bitmap.close();
  return canvas.toDataURL('image/png').split(',')[1]!;
}

/** The URL of an uploaded icon is a path on this server. */
export const isUploaded = (iconUrl: string | null): boolean => iconUrl?.startsWith('/') ?? false;

function useIcon(onDone: () => void) {
  const params = useEnv();
  const [isUnreadable, setUnreadable] = useState(false);
  const upload = useAction(
    (png_base64: string) =>
      call('PUT /dashboard/api/games/{game_id}/{mode}/appearance/icon', { params, body: { png_base64 } }),
    { done: () => t('appearance.iconSaved'), after: onDone, quiet: true },
  );
  const remove = useAction(
    () => call('PATCH /dashboard/api/games/{game_id}/{mode}/appearance', { params, body: { icon_url: null } }),
    { done: () => t('appearance.iconRemoved'), after: onDone },
  );
  const choose = async (file: File): Promise<void> => {
    setUnreadable(false);
    const png = await squarePng(file).catch(() => null);
    if (png === null) setUnreadable(true);
    else upload.mutate(png);
  };
  const error = isUnreadable
    ? t('appearance.iconUnreadable')
    : upload.error
      ? (issueOf(upload.error, '/png_base64') ?? t('appearance.iconFailed'))
      : undefined;
  return { choose, remove, error, busy: upload.isPending || remove.isPending };
}

interface IconFieldProps {
  appearance: Appearance;
  name: string;
  address: string;
  setAddress(text: string): void;
  error: string | undefined;
}

/** Takes an image from the member's disk or the URL of one. */
export function IconField({ appearance, name, address, setAddress, error }: IconFieldProps) {
  const label = useId();
  const file = useRef<HTMLInputElement>(null);
  const icon = useIcon(() => setAddress(''));
  const uploaded = isUploaded(appearance.icon_url);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside the form's own would be named twice
    <div role="group" aria-labelledby={label} className="grid gap-3">
      <p id={label} className="font-semibold">
        {t('appearance.icon')}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <GameTile name={name} url={uploaded ? appearance.icon_url : address.trim() || null} className="size-12" />
        <input
          ref={file}
          type="file"
          accept={READABLE}
          aria-label={t('appearance.iconUpload')}
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            if (target.files?.[0]) void icon.choose(target.files[0]);
            target.value = '';
          }}
        />
        <Button icon={<ImageUp size={16} aria-hidden />} busy={icon.busy} onClick={() => file.current?.click()}>
          {uploaded ? t('appearance.iconReplace') : t('appearance.iconUpload')}
        </Button>
        {uploaded && (
          <Button look="quiet" icon={<Trash2 size={16} aria-hidden />} onClick={() => icon.remove.mutate()}>
            {t('appearance.iconRemove')}
          </Button>
        )}
      </div>
      {icon.error ? (
        <FieldError>{icon.error}</FieldError>
      ) : (
        <p className="text-12 text-soft">{t('appearance.iconHint')}</p>
      )}
      {!uploaded && (
        <TextField
          type="url"
          label={t('appearance.iconAddress')}
          placeholder="https://"
          value={address}
          error={error}
          onChange={({ target }) => setAddress(target.value)}
        />
      )}
    </div>
  );
}
