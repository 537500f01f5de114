import type { Seller } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { isSame, orNull } from '../../kit/forms.ts';
import { issueOf } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { TextField } from '../../ui/field.tsx';
import { SettingsForm } from '../../ui/settings.tsx';

const FIELDS = [
  { name: 'legal_name', autoComplete: 'organization' },
  { name: 'address', autoComplete: 'street-address' },
  { name: 'country', autoComplete: 'country' },
  { name: 'registration_number' },
  { name: 'tax_number' },
  { name: 'support' },
  { name: 'terms_url', type: 'url' },
  { name: 'privacy_url', type: 'url' },
  { name: 'refund_url', type: 'url' },
] as const satisfies readonly { name: keyof Seller; type?: string; autoComplete?: string }[];

type Entries = Record<keyof Seller, string>;

const entriesOf = (seller: Seller): Entries =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, seller[name] ?? ''])) as Entries;

/** The seller's details appear at checkout and on every receipt. */
export function SellerForm({ seller, companyName }: { seller: Seller; companyName: string }) {
  const { company_id, may } = useCurrentGame();
  const [entries, setEntries] = useState(() => entriesOf(seller));
  const form = Object.fromEntries(FIELDS.map(({ name }) => [name, orNull(entries[name])])) as unknown as Seller;
  form.country = form.country?.toUpperCase() ?? null;
  const save = useAction(
    () => call('PATCH /dashboard/api/companies/{company_id}/seller', { params: { company_id }, body: form }),
    { quiet: true, done: () => t('seller.saved') },
  );
  return (
    <SettingsForm
      isLocked={!may('changeSeller')}
      busy={save.isPending}
      isSame={isSame(form, seller)}
      onSave={() => save.mutate()}
    >
      {FIELDS.map(({ name, ...rest }) => (
        <TextField
          key={name}
          {...rest}
          label={t(`seller.${name}`)}
          hint={t(`seller.${name}_hint`)}
          placeholder={name === 'legal_name' ? companyName : undefined}
          value={entries[name]}
          error={issueOf(save.error, `/${name}`)}
          onChange={({ target }) => setEntries({ ...entries, [name]: target.value })}
        />
      ))}
    </SettingsForm>
  );
}
