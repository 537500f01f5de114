import { type ReactNode, useState } from 'react';

interface PictureProps {
  url: string | null;
  className: string;
  /** In its place while there is no address, or when nothing can be shown from it. */
  instead: ReactNode;
}

/** Pictures come from addresses that others keep, so one may be gone: then the sign for "none" is shown. */
export function Picture({ url, className, instead }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (!url || broken === url) return instead;
  return <img src={url} alt="" loading="lazy" className={className} onError={() => setBroken(url)} />;
}
