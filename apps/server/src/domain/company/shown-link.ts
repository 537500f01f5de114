import type { Queryable } from '../../db/db.ts';
import type { Person } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { requestVerification } from '../user/mail-links/verify-email.ts';
import { findFirstCompany } from './company.sql.ts';
import { isOwnerOfFirstCompany } from './member.sql.ts';

/**
 * Where no mail is sent, the operator gets a link as the answer and hands it over. The first company is the operator's; another
 * company's link may be for an address that is not its own, so it is never shown.
 */
export const linkForInviter = async (
  { mailer, db }: Pick<Shop, 'mailer'> & { db: Queryable },
  companyId: string,
  url: string,
): Promise<string | null> => (!mailer && (await findFirstCompany(db)) === companyId ? url : null);

/** Sends the link that proves the member's own address; answers with what is shown of it. */
export async function askForVerification(shop: Shop, actor: Person): Promise<string | null> {
  const url = await requestVerification(shop, actor);
  return !shop.mailer && (await isOwnerOfFirstCompany(shop.db, actor.userId)) ? url : null;
}
