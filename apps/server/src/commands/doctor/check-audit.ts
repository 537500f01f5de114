import { type ChainFault, type ChainState, checkAuditChain } from '../../domain/audit/audit-chain.ts';
import type { Parts } from '../../program/parts.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

/** A worker links each entry within seconds. */
const LATE_SECONDS = 600;

const FAULTS: Record<ChainFault, string> = {
  changed: 'was changed after it was written, or an entry before it was cut out together with its link',
  missing: 'was deleted',
  added: 'was put in later',
};

export async function checkAudit({ keyring, seal, reportDb }: Parts): Promise<Finding> {
  // A link may be made under an earlier master key.
  await keyring.load();
  return judgeAudit(await checkAuditChain({ db: reportDb, seal }));
}

export function judgeAudit({ entries, head, fault, unlinked, oldestUnlinkedSeconds }: ChainState): Finding {
  if (fault)
    return wrong(
      'audit log',
      `entry ${fault.seq} ${FAULTS[fault.kind]}`,
      'Find out who can write to the database beside the program, and compare with a backup.',
    );
  const says = `${entries} entries are as they were written; the chain ends with ${head}`;
  return unlinked > 0 && oldestUnlinkedSeconds > LATE_SECONDS
    ? note('audit log', `${says}, and ${unlinked} newer ones are not linked yet`, 'Is a worker running?')
    : ok('audit log', says);
}
