import type { Player } from '@coinslot/contract';
import { Package, UserRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { initialOf } from '../kit/format.ts';

interface RemoteImageProps {
  url: string | null;
  className: string;
  /** Shown without a URL or if the image cannot be loaded. */
  fallback: ReactNode;
}

/** Images are hosted elsewhere and may disappear, so a broken one is replaced by the fallback. */
function RemoteImage({ url, className, fallback }: RemoteImageProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (!url || broken === url) return fallback;
  return <img src={url} alt="" loading="lazy" className={className} onError={() => setBroken(url)} />;
}

/** The Coinslot logo. */
export const Mark = ({ className = 'size-6' }: { className?: string }) => (
  <svg aria-hidden viewBox="0 0 24 24" className={`${className} shrink-0 fill-mark`}>
    <path d="M4.5 14.5a8 8 0 1 1 15 0z" />
    <rect x="1.5" y="17" width="21" height="3" rx="1.5" />
  </svg>
);

export const ItemImage = ({ url, className = 'size-10' }: { url: string | null; className?: string }) => (
  <RemoteImage
    url={url}
    className={`${className} shrink-0 rounded-md bg-sunk object-cover`}
    fallback={
      <span aria-hidden className={`${className} grid shrink-0 place-items-center rounded-md bg-sunk text-faint`}>
        <Package size={18} />
      </span>
    }
  />
);

interface GameTileProps {
  name: string;
  url: string | null;
  className?: string;
}

export const GameTile = ({ name, url, className = 'size-7' }: GameTileProps) => (
  <RemoteImage
    url={url}
    className={`${className} shrink-0 rounded-md bg-sunk object-cover`}
    fallback={
      <span
        aria-hidden
        className={`${className} grid shrink-0 place-items-center rounded-md bg-accent font-semibold text-accent-ink`}
      >
        {initialOf(name)}
      </span>
    }
  />
);

export const Avatar = ({ player, className = 'size-7' }: { player: Player; className?: string }) => (
  <RemoteImage
    url={player.avatar_url}
    className={`${className} shrink-0 rounded-full bg-sunk object-cover`}
    fallback={
      <span aria-hidden className={`${className} grid shrink-0 place-items-center rounded-full bg-sunk text-faint`}>
        <UserRound size={16} />
      </span>
    }
  />
);
