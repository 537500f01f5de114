import { useLocation, useNavigate } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { useEnv } from '../kit/use-env.ts';
import { t } from '../texts/texts.ts';
import { pathInMode } from './paths.ts';

export function SandboxToggle() {
  const { mode } = useEnv();
  const path = useLocation({ select: location => location.pathname });
  const navigate = useNavigate();
  const isOn = mode === 'sandbox';
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      onClick={() => void navigate({ to: pathInMode(path, isOn ? 'live' : 'sandbox') })}
      className={`flex h-9 shrink-0 items-center gap-2 rounded-full border pr-1.5 pl-3 font-semibold whitespace-nowrap transition-colors touch-44 ${
        isOn ? 'border-warn bg-warn-wash text-warn' : 'border-line text-soft hover:border-edge hover:text-ink'
      }`}
    >
      <FlaskConical size={16} aria-hidden className="max-sm:hidden" />
      {t('sandbox.toggle')}
      <span
        aria-hidden
        className={`relative h-6 w-10 rounded-full border ${isOn ? 'stripes border-[#10131a]' : 'border-edge bg-sunk'}`}
      >
        <span
          className={`absolute top-[3px] left-[3px] size-4 rounded-full transition-transform ${isOn ? 'translate-x-4 bg-white ring-2 ring-[#10131a]' : 'bg-edge'}`}
        />
      </span>
    </button>
  );
}
