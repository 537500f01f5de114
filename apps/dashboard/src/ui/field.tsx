import { CircleAlert } from 'lucide-react';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

interface FieldLabels {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Shown at the right of the label. */
  aside?: ReactNode;
}

const ENTRY =
  'block w-full rounded-md border bg-surface px-3 text-ink transition-colors focus-visible:outline-2 focus-visible:-outline-offset-1 disabled:bg-sunk disabled:text-soft';

const edgeOf = (error: string | undefined): string => (error ? 'border-bad' : 'border-edge');

interface FrameProps extends FieldLabels {
  id: string;
  children: ReactNode;
}

export const FieldError = ({ id, children }: { id?: string; children: ReactNode }) => (
  <p id={id} role={id ? undefined : 'alert'} className="flex items-start gap-1.5 pt-1 text-bad">
    <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
    {children}
  </p>
);

function FieldFrame({ id, label, hint, error, aside, children }: FrameProps) {
  return (
    <div className="min-w-0">
      <div className="flex items-baseline justify-between gap-4 pb-1">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {aside}
      </div>
      {children}
      {hint && !error && (
        <p id={`${id}-hint`} className="pt-1 text-12 text-soft">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

const described = (id: string, hint: ReactNode, error: string | undefined) => ({
  'aria-invalid': error ? true : undefined,
  'aria-describedby': error ? `${id}-error` : hint ? `${id}-hint` : undefined,
});

export function TextField({ label, hint, error, aside, ...rest }: FieldLabels & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <FieldFrame {...{ id, label, hint, error, aside }}>
      <input id={id} {...described(id, hint, error)} {...rest} className={`${ENTRY} ${edgeOf(error)} h-10 touch-44`} />
    </FieldFrame>
  );
}

export function TextArea({
  label,
  hint,
  error,
  aside,
  rows = 3,
  ...rest
}: FieldLabels & TextareaHTMLAttributes<HTMLTextAreaElement> & { rows?: number }) {
  const id = useId();
  return (
    <FieldFrame {...{ id, label, hint, error, aside }}>
      <textarea
        id={id}
        rows={rows}
        {...described(id, hint, error)}
        {...rest}
        // Browsers that grow the field with its text ignore `rows`.
        style={{ minHeight: `calc(${rows}lh + 18px)` }}
        className={`${ENTRY} ${edgeOf(error)} field-sizing-content max-h-[60dvh] py-2 ${rest.className ?? ''}`}
      />
    </FieldFrame>
  );
}

export function SelectField({
  label,
  hint,
  error,
  aside,
  children,
  ...rest
}: FieldLabels & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <FieldFrame {...{ id, label, hint, error, aside }}>
      <select id={id} {...described(id, hint, error)} {...rest} className={`${ENTRY} ${edgeOf(error)} h-10 touch-44`}>
        {children}
      </select>
    </FieldFrame>
  );
}

interface CheckProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'about'> {
  label: ReactNode;
  about?: ReactNode;
}

export function Check({ label, about, ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        type="checkbox"
        id={id}
        aria-describedby={about ? `${id}-about` : undefined}
        {...rest}
        className="mt-0.5 size-4 shrink-0 accent-ring pointer-coarse:size-6"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="cursor-pointer">
          {label}
        </label>
        {about && (
          <p id={`${id}-about`} className="text-12 text-soft">
            {about}
          </p>
        )}
      </div>
    </div>
  );
}

interface SwitchProps {
  label: string;
  on: boolean;
  onChange(on: boolean): void;
  disabled?: boolean;
  describedBy?: string;
}

/** The knob's position shows the state too, so that color is not the only sign. */
export const Switch = ({ label, on, onChange, disabled = false, describedBy }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-checked={on}
    aria-label={label}
    aria-describedby={describedBy}
    disabled={disabled}
    onClick={() => onChange(!on)}
    className={`relative h-6 w-10 shrink-0 rounded-full border transition-colors disabled:opacity-60 ${on ? 'border-good bg-good' : 'border-edge bg-sunk'}`}
  >
    <span
      aria-hidden
      className={`absolute top-[3px] left-[3px] size-4 rounded-full transition-transform ${on ? 'translate-x-4 bg-surface' : 'bg-edge'}`}
    />
  </button>
);
