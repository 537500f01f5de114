import { openAccount } from '../merchant-accounts/account-secrets.ts';
import type { ConnectedProvider } from '../merchant-accounts/merchant-accounts.ts';
import { listAllAccounts } from '../merchant-accounts/provider-account.sql.ts';
import type { PaymentShop } from '../payment-shop.ts';
import type { OpenedAccount } from '../providers/base/provider.ts';
import { checkProvider } from './check-provider.ts';
import { claimChecks, insertChecksDue } from './provider-check.sql.ts';

interface Candidate {
  connected: ConnectedProvider;
  companyId: string;
  account: OpenedAccount;
  isOfSettings: boolean;
}

async function listCandidates({ db, seal, merchantAccounts }: PaymentShop): Promise<Candidate[]> {
  const rows = (await listAllAccounts(db)).filter(({ isCurrent }) => isCurrent);
  const found = await Promise.all(
    merchantAccounts.list.map(async connected => {
      const own = rows.filter(({ provider }) => provider === connected.provider.name);
      const { fromSettings } = connected;
      const companies = fromSettings ? await connected.settingsCompanies() : [];
      const given = companies.filter(id => !own.some(({ companyId }) => companyId === id));
      return [
        ...own.map(row => ({
          connected,
          companyId: row.companyId,
          account: openAccount(seal, row),
          isOfSettings: false,
        })),
        ...given.map(companyId => ({ connected, companyId, account: fromSettings, isOfSettings: true })),
      ];
    }),
  );
  return found.flat().flatMap(({ account, ...rest }) => (account ? [{ ...rest, account }] : []));
}

/** Every connected once a day, by whichever process is first. One that cannot be asked does not keep the others from it. */
export async function checkDue(shop: PaymentShop): Promise<boolean> {
  for (const { connected, ...input } of await listCandidates(shop)) {
    const { provider } = connected;
    const key = { companyId: input.companyId, provider: provider.name, accountId: input.account.accountId };
    await insertChecksDue(shop.db, key);
    if (!(await claimChecks(shop.db, key))) continue;
    await checkProvider(shop, { provider, ...input }).catch((error: unknown) => shop.onError(error, 'connected test'));
  }
  return false;
}
