import type { Seller } from '@coinslot/contract';
import { type ComponentProps, useState } from 'react';
import { call } from '../../kit/api.ts';
import { isSame, orNull } from '../../kit/forms.ts';
import { issueOf } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { SettingsForm } from '../../ui/settings.tsx';
import { listCountries } from './countries.ts';

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

const CountryField = (props: ComponentProps<typeof SelectField>) => (
  <SelectField {...props}>
    <option value="" />
    {listCountries(language).map(({ code, name }) => (
      <option key={code} value={code}>
        {name}
      </option>
    ))}
  </SelectField>
);

/** The seller's details appear at checkout and on every receipt. */
export function SellerForm({ seller, companyName }: { seller: Seller; companyName: string }) {
  const { company_id, may } = useCurrentGame();
  const [entries, setEntries] = useState(() => entriesOf(seller));
  const form = Object.fromEntries(FIELDS.map(({ name }) => [name, orNull(entries[name])])) as unknown as Seller;
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
      {FIELDS.map(({ name, ...rest }) => {
        const common = {
          ...rest,
          label: t(`seller.${name}`),
          value: entries[name],
          error: issueOf(save.error, `/${name}`),
          onChange: ({ target }: { target: { value: string } }) => setEntries({ ...entries, [name]: target.value }),
        };
        if (name === 'country') return <CountryField key={name} {...common} />;
        const placeholder = name === 'legal_name' ? companyName : undefined;
        return <TextField key={name} {...common} hint={t(`seller.${name}_hint`)} placeholder={placeholder} />;
      })}
    </SettingsForm>
  );
}
