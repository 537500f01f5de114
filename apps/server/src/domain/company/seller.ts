import type { Issue, Seller } from '@coinslot/contract';
import { assertNoIssues } from '../../kit/app-error.ts';
import { isEmail } from '../../kit/email.ts';
import { formatCountry } from '../../kit/format.ts';
import { parseUrl } from '../../kit/parse-url.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { nameIssue } from '../user/field-issues.ts';
import { lockCompanyFacts, updateCompany, updateSellerComplete } from './company.sql.ts';

const NOTHING: Seller = {
  legal_name: null,
  address: null,
  country: null,
  registration_number: null,
  tax_number: null,
  support: null,
  terms_url: null,
  privacy_url: null,
  refund_url: null,
};

type Links = 'terms_url' | 'privacy_url' | 'refund_url';
const LINKS: readonly Links[] = ['terms_url', 'privacy_url', 'refund_url'];

/** What players read of the seller on the page and on receipts. */
const NAMES = ['legal_name', 'address', 'registration_number', 'tax_number'] as const;

/** Stored as it was given, so a field that came later is missing in an older row. */
export const sellerOf = ({ seller }: { seller: Partial<Seller> | null }): Seller => ({ ...NOTHING, ...seller });

const isSecureLink = (text: string): boolean => parseUrl(text)?.protocol === 'https:';

/** A link that opens, whichever of the two was given; null when there is none. */
function supportLink({ support }: Pick<Seller, 'support'>): string | null {
  if (support === null) return null;
  return isEmail(support) ? `mailto:${support}` : support;
}

/** What a player is owed before paying: whom the money goes to, where to ask, and under which rules. */
const isComplete = ({ legal_name, support, terms_url, privacy_url }: Seller): boolean =>
  [legal_name, support, terms_url, privacy_url].every(text => text !== null);

/** The postal address with the country's name in the reader's language. */
export const sellerAddress = ({ address, country }: Pick<Seller, 'address' | 'country'>, language: string) =>
  [address, country && formatCountry(country, language)].filter(Boolean).join(', ') || null;

/** What players are shown of the seller; what is null is left out. */
export const sellerFacts = (seller: Seller, companyName: string, language: string) => ({
  name: seller.legal_name ?? companyName,
  supportUrl: supportLink(seller),
  termsUrl: seller.terms_url,
  privacyUrl: seller.privacy_url,
  refundUrl: seller.refund_url,
  address: sellerAddress(seller, language),
  registrationNumber: seller.registration_number,
  taxNumber: seller.tax_number,
});

function sellerIssues(seller: Partial<Seller>): Issue[] {
  const issues = NAMES.flatMap(name => (seller[name] ? (nameIssue(seller[name], `/${name}`) ?? []) : []));
  const { support } = seller;
  if (support != null && !isEmail(support) && !isSecureLink(support)) {
    const message = 'Must be an e-mail address or an https link.';
    issues.push({ pointer: '/support', code: 'format_web_url', message });
  }
  for (const name of LINKS) {
    const link = seller[name];
    if (link != null && !isSecureLink(link)) {
      issues.push({ pointer: `/${name}`, code: 'format_web_url', message: 'Must be an https link.' });
    }
  }
  return issues;
}

const trimmed = (given: Partial<Seller>): Partial<Seller> =>
  Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text?.trim() || null]));

/** Omitted fields stay; null or only spaces clears one. */
export async function changeSeller(
  { db }: Shop,
  actor: Actor,
  companyId: string,
  given: Partial<Seller>,
): Promise<Seller> {
  const change = trimmed(given);
  assertNoIssues(...sellerIssues(change));
  return db.transaction(async tx => {
    const company = await lockCompanyFacts(tx, companyId);
    const before = sellerOf(company);
    const after = { ...before, ...change };
    updateCompany(tx, { ...company, seller: after });
    updateSellerComplete(tx, companyId, isComplete(after));
    writeAudit(tx, actor, { companyId, kind: 'seller.changed', objectId: companyId, before, after });
    return after;
  });
}
