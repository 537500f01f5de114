import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

interface FormProps {
  onSubmit(): void;
  children: ReactNode;
  className?: string;
}

/** Fields show their own issues, so the browser's validation bubbles are off. */
export const Form = ({ onSubmit, children, className = 'grid gap-4' }: FormProps) => (
  <form
    noValidate
    className={className}
    onSubmit={event => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

/** For a problem of the whole form, not of one field. */
export const FormProblem = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p role="alert" className="flex gap-2 text-bad">
      <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      {text}
    </p>
  );

export const TextLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="font-medium text-link underline-offset-4 hover:underline">
    {children}
  </Link>
);
