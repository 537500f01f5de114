import type { Issue } from '@coinslot/contract';
import type { Tx } from '../../../db/statement.ts';
import { AppError, assertNoIssues } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import type { SignedIn } from '../../user/session.sql.ts';
import { deleteSsoSessions } from '../../user/sso-session.sql.ts';
import { findCompanyAccess } from '../company.sql.ts';
import { lockCompany } from '../member.sql.ts';
import { discover } from './identity-provider.ts';
import { roleIn } from './role-in.ts';
import { deleteSso, findSso, type Sso, ssoSecretContext, updateSso } from './sso.sql.ts';

export interface SsoForm extends Omit<Sso, 'companyId' | 'clientSecretSealed'> {
  /** Undefined keeps the one that is saved. */
  clientSecret: string | undefined;
}

const issueOf = (pointer: string, message: string): Issue => ({ pointer, code: 'url_refused', message });

/** The secret that is saved goes to no other issuer than it was given for. */
function secretOf({ seal }: Shop, known: Sso | null, { clientSecret, issuer, clientId }: SsoForm): string | null {
  if (clientSecret !== undefined) return clientSecret;
  if (known?.issuer !== issuer || known.clientId !== clientId) return null;
  return seal.open(known.clientSecretSealed, ssoSecretContext(known.companyId));
}

/** An issuer answers as late as it likes: who was removed meanwhile, or whose session has ended, sets none up (row 281). */
async function lockAsOwner(tx: Tx, by: SignedIn, companyId: string): Promise<void> {
  await lockCompany(tx, companyId);
  const access = await findCompanyAccess(tx, by, companyId);
  if (access === null || access.isEnded || roleIn(by, access) !== 'owner') throw new AppError('company_not_found');
}

/**
 * Only once the issuer has answered. Where it becomes the only way in, the owner must have come by passkey: owners have no
 * other way in from then on. Members who came by the issuer before are signed out.
 */
export async function changeSso(
  shop: Shop,
  actor: Actor,
  companyId: string,
  form: SsoForm,
  by: SignedIn,
): Promise<Sso> {
  const { db, seal } = shop;
  if (form.required && by.signedInBy !== 'passkey') throw new AppError('passkey_required');
  const known = await findSso(db, companyId);
  const clientSecret = secretOf(shop, known, form);
  if (clientSecret === null)
    throw new AppError('validation_failed', {
      issues: [{ pointer: '/client_secret', code: 'required', message: 'a client secret is required' }],
    });
  const { issuer, clientId } = form;
  const isFound = await discover(shop, { issuer, clientId, clientSecret }).then(
    () => true,
    () => false,
  );
  assertNoIssues(isFound ? null : issueOf('/issuer', 'no OpenID provider answers there'));
  const { clientSecret: _, ...rest } = form;
  const sso: Sso = { ...rest, companyId, clientSecretSealed: seal.seal(clientSecret, ssoSecretContext(companyId)) };
  await db.transaction(async tx => {
    await lockAsOwner(tx, by, companyId);
    await updateSso(tx, sso);
    await deleteSsoSessions(tx, companyId);
    const after = { issuer, client_id: clientId, domains: sso.domains, required: sso.required };
    writeAudit(tx, actor, { companyId, kind: 'sso.changed', objectId: companyId, after });
  });
  return sso;
}

export async function removeSso({ db }: Shop, actor: Actor, companyId: string): Promise<void> {
  await db.transaction(async tx => {
    await lockCompany(tx, companyId);
    await deleteSso(tx, companyId);
    await deleteSsoSessions(tx, companyId);
    writeAudit(tx, actor, { companyId, kind: 'sso.removed', objectId: companyId });
  });
}
