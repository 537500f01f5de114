import type { SsoSettings } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { fieldProblem } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Check, TextArea, TextField } from '../../ui/field.tsx';
import { ReadProblem } from '../../ui/loading.tsx';
import { Section } from '../../ui/page.tsx';
import { SettingsForm } from '../../ui/settings.tsx';

type Fields = NonNullable<SsoSettings['settings']>;
type GroupRole = Fields['roles'][number];

const rolesText = (roles: readonly GroupRole[]): string =>
  roles.map(({ group, role }) => `${group} = ${role}`).join('\n');

/** One line for each group; the server says which role it does not know. */
const readRoles = (text: string): GroupRole[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => {
      const at = line.lastIndexOf('=');
      return { group: line.slice(0, at).trim(), role: line.slice(at + 1).trim() as GroupRole['role'] };
    });

/** As it is typed; lists are text until they are saved. */
interface Draft {
  issuer: string;
  client_id: string;
  client_secret: string;
  domains: string;
  group_claim: string;
  roles: string;
  required: boolean;
}

const draftOf = (fields: Fields | null): Draft => ({
  issuer: fields?.issuer ?? '',
  client_id: fields?.client_id ?? '',
  client_secret: '',
  domains: fields?.domains.join(', ') ?? '',
  group_claim: fields?.group_claim ?? 'groups',
  roles: rolesText(fields?.roles ?? []),
  required: fields?.required ?? false,
});

const bodyOf = ({ client_secret, ...draft }: Draft) => ({
  issuer: draft.issuer.trim(),
  client_id: draft.client_id.trim(),
  group_claim: draft.group_claim.trim(),
  required: draft.required,
  domains: draft.domains
    .split(',')
    .map(domain => domain.trim())
    .filter(domain => domain !== ''),
  roles: readRoles(draft.roles),
  ...(client_secret !== '' && { client_secret }),
});

const PATH = '/dashboard/api/companies/{company_id}/sso';

function TurnOff() {
  const { company_id } = useCurrentGame();
  const remove = useAction(() => call(`DELETE ${PATH}`, { params: { company_id } }), { done: () => t('sso.removed') });
  return (
    <div>
      <Button busy={remove.isPending} onClick={() => remove.mutate()}>
        {t('sso.off')}
      </Button>
    </div>
  );
}

function SsoForm({ saved }: { saved: SsoSettings }) {
  const { company_id } = useCurrentGame();
  const [draft, setDraft] = useState(() => draftOf(saved.settings));
  const save = useAction(() => call(`PUT ${PATH}`, { params: { company_id }, body: bodyOf(draft) }), {
    done: () => t('sso.changed'),
  });
  const field = (name: Exclude<keyof Draft, 'required'>, label: string, hint?: string) => ({
    label,
    hint,
    value: draft[name],
    error: fieldProblem(save.error, `/${name}`),
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [name]: target.value }),
  });
  const kept = saved.settings ? t('sso.clientSecretKept') : undefined;
  return (
    <SettingsForm isLocked={false} busy={save.isPending} onSave={() => save.mutate()}>
      {saved.settings && <p className="break-all text-soft">{t('sso.link', { url: saved.sign_in_url })}</p>}
      <TextField {...field('issuer', t('sso.issuer'), t('sso.issuerHint', { url: saved.redirect_url }))} />
      <TextField {...field('client_id', t('sso.clientId'))} />
      <TextField type="password" autoComplete="off" {...field('client_secret', t('sso.clientSecret'), kept)} />
      <TextField {...field('domains', t('sso.domains'), t('sso.domainsHint'))} />
      <TextField {...field('group_claim', t('sso.groupClaim'))} />
      <TextArea rows={4} {...field('roles', t('sso.roles'), t('sso.rolesHint'))} />
      <Check
        label={t('sso.required')}
        about={t('sso.requiredAbout')}
        checked={draft.required}
        onChange={({ target }) => setDraft({ ...draft, required: target.checked })}
      />
      {saved.settings && <TurnOff />}
    </SettingsForm>
  );
}

/** For owners: where the members of the company sign in. */
export function SsoSection() {
  const { company_id } = useCurrentGame();
  const read = useRead(`GET ${PATH}`, { params: { company_id } });
  return (
    <Section title={t('sso.title')} about={t('sso.about')}>
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {read.data && <SsoForm key={JSON.stringify(read.data.settings)} saved={read.data} />}
    </Section>
  );
}
