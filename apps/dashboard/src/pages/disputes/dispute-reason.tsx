import { tryText } from '../../texts/texts.ts';
import { Code } from '../../ui/cells.tsx';

/** Some providers use British spelling in their reason codes. */
const americanOf = (word: string): string => word.replace(/oris(?=ed$)/, 'oriz');

/** What the bank's code means, with the code itself, which its papers name. */
export function DisputeReason({ code }: { code: string }) {
  const words = tryText(`dispute.reason.${americanOf(code)}`);
  return (
    <>
      {words} <Code>{code}</Code>
    </>
  );
}
