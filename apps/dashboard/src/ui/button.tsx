import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

const LOOKS = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover',
  plain: 'border border-line bg-surface text-ink hover:bg-sunk hover:border-edge',
  quiet: 'text-soft hover:bg-sunk hover:text-ink',
  danger: 'bg-danger text-surface hover:opacity-90',
} as const;

const SIZES = { small: 'h-8 px-3 gap-1.5', normal: 'h-9 px-4 gap-2', big: 'h-11 px-5 gap-2 text-16' } as const;

export type ButtonLook = keyof typeof LOOKS;

interface Look {
  look?: ButtonLook;
  size?: keyof typeof SIZES;
}

/** For links that look like a button. */
export const buttonClass = ({ look = 'plain', size = 'normal' }: Look = {}): string =>
  `inline-flex items-center justify-center rounded-md font-semibold whitespace-nowrap transition-colors touch-44 disabled:opacity-60 disabled:cursor-not-allowed aria-disabled:opacity-60 ${LOOKS[look]} ${SIZES[size]}`;

export const Spinner = () => (
  <span aria-hidden className="turning size-4 rounded-full border-2 border-current border-t-transparent" />
);

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  icon?: ReactNode;
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ look, size, icon, busy = false, children, className = '', disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={`${buttonClass({ ...(look && { look }), ...(size && { size }) })} ${className}`}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
  icon: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** The icon alone has no accessible name, so the label is its name and its tooltip. */
export const IconButton = ({ label, icon, className = '', ...rest }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    {...rest}
    className={`inline-grid size-8 shrink-0 place-items-center rounded-md text-soft transition-colors touch-44 pointer-coarse:min-w-11 enabled:hover:bg-sunk enabled:hover:text-ink disabled:cursor-not-allowed disabled:opacity-40 ${className}`}
  >
    {icon}
  </button>
);
