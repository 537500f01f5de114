import { type ReactNode, useState } from 'react';

interface RemoteImageProps {
  url: string | null;
  className: string;
  /** Shown without a URL or if the image cannot be loaded. */
  fallback: ReactNode;
}

/** Images are hosted elsewhere and may disappear, so a broken one is replaced by the fallback. */
export function RemoteImage({ url, className, fallback }: RemoteImageProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (!url || broken === url) return fallback;
  return <img src={url} alt="" loading="lazy" className={className} onError={() => setBroken(url)} />;
}
