import type { Role } from '@coinslot/contract';
import { AppError } from '../../../kit/app-error.ts';
import type { SignedIn } from '../../user/session.sql.ts';
import type { CompanyAccess } from '../company.sql.ts';

/** Past this age the word of the identity provider no longer counts. */
export const SSO_STALE_SECONDS = 300;

/**
 * What this session may do in the company. Null where the company does not exist for it: one by single sign-on opens its own
 * company alone. Owners keep a way in by passkey, whatever the identity provider says.
 */
export function roleIn({ sso, signedInBy }: Pick<SignedIn, 'sso' | 'signedInBy'>, access: CompanyAccess): Role | null {
  if (sso) return sso.companyId === access.companyId && sso.checkedSecondsAgo < SSO_STALE_SECONDS ? sso.role : null;
  const isOwnersWay = access.role === 'owner' && signedInBy === 'passkey';
  if (access.viaSso || (access.ssoRequired && !isOwnersWay)) throw new AppError('sso_required');
  return access.role;
}
