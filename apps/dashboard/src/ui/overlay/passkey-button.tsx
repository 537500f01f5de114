import { Fingerprint } from 'lucide-react';
import { hasPasskeys, proofByPasskey } from '../../kit/passkeys.ts';
import { problemText } from '../../kit/problems.ts';
import { useSession } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { TextField } from '../field.tsx';
import { FormProblem } from '../form.tsx';

interface PasskeyButtonProps<Proof> {
  prove(): Promise<Proof>;
  onProven(proof: Proof): void;
  disabled?: boolean;
}

/** Offers a passkey instead of the password to members who have one. */
export function PasskeyButton<Proof>({ prove, onProven, disabled = false }: PasskeyButtonProps<Proof>) {
  const { data } = useSession();
  const proving = useAction(prove, { quiet: true, after: onProven });
  if (!hasPasskeys() || (data?.user?.passkeys ?? 0) === 0) return null;
  return (
    <>
      <Button
        icon={<Fingerprint size={16} aria-hidden />}
        busy={proving.isPending}
        disabled={disabled}
        onClick={() => proving.mutate()}
      >
        {t('askAgain.passkey')}
      </Button>
      <FormProblem text={proving.error ? problemText(proving.error) : undefined} />
    </>
  );
}

interface ProofFieldsProps {
  password: string;
  setPassword(password: string): void;
  error?: string | undefined;
  isBusy: boolean;
  onPasskey(answer: Record<string, unknown>): void;
}

/** For an action that sends its own proof: the password, or a passkey's signature. */
export const ProofFields = ({ password, setPassword, error, isBusy, onPasskey }: ProofFieldsProps) => (
  <>
    <TextField
      type="password"
      autoComplete="current-password"
      label={t('password.again')}
      value={password}
      error={error}
      onChange={({ target }) => setPassword(target.value)}
    />
    <PasskeyButton prove={proofByPasskey} onProven={onPasskey} disabled={isBusy} />
  </>
);
