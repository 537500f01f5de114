import type { DashboardEndpoint } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import { assertConfirmed, assertConfirmedBy } from '../../domain/user/confirm-identity.ts';
import type { SignedIn } from '../../domain/user/session.sql.ts';

/** What the gate leaves until the body is read. */
export async function assertConfirmedByBody(
  deps: { db: Db },
  { confirms }: DashboardEndpoint,
  signedIn: SignedIn,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (confirms === 'unless_password') {
    const { password } = body;
    await assertConfirmedBy(deps, signedIn, typeof password === 'string' ? password : undefined);
  } else if (typeof confirms === 'object' && confirms.fields.some(field => body[field] !== undefined)) {
    assertConfirmed(signedIn);
  }
}
