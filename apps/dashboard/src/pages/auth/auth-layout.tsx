import { type ReactNode, useEffect, useRef } from 'react';
import { LANGUAGES, type LanguageCode } from '../../texts/languages.ts';
import { language, switchLanguage, t } from '../../texts/texts.ts';
import { Mark } from '../../ui/images.tsx';

interface AuthLayoutProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
  below?: ReactNode;
}

/** The layout of every page that needs no session: one column, one task. */
export function AuthLayout({ title, about, children, below }: AuthLayoutProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Coinslot`;
    heading.current?.focus();
  }, [title]);
  return (
    <div className="flex min-h-dvh flex-col bg-surface sm:bg-ground">
      <main className="mx-auto flex w-full max-w-[440px] flex-1 flex-col justify-center px-4 py-8">
        <p className="flex items-center gap-2 pb-6 text-20 font-semibold">
          <Mark className="size-8" />
          Coinslot
        </p>
        <div className="sm:rounded-lg sm:border sm:border-line sm:bg-surface sm:p-8">
          <h1 ref={heading} tabIndex={-1} className="text-28 font-semibold tracking-[-0.01em]">
            {title}
          </h1>
          {about && <div className="pt-1 text-soft">{about}</div>}
          <div className="pt-6">{children}</div>
        </div>
        {below && <div className="pt-6 text-center text-soft">{below}</div>}
      </main>
      <footer className="pb-6 text-center">
        <label className="text-12 text-soft">
          <span className="sr-only">{t('profile.language')}</span>
          <select
            value={language}
            onChange={({ target }) => switchLanguage(target.value as LanguageCode)}
            className="h-8 rounded-md bg-transparent px-2 touch-44"
          >
            {Object.entries(LANGUAGES).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </footer>
    </div>
  );
}

/** Links carry their token after the `#`, so that it never reaches a server log. */
export const tokenInHash = (hash: string): string => new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';
