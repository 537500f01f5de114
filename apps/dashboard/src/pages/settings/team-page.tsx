import type { Invitation, Member, Role } from '@coinslot/contract';
import type { UseMutationResult } from '@tanstack/react-query';
import { Plus, ShieldCheck, Users } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { useFilters } from '../../kit/filters.ts';
import { memberName } from '../../kit/format.ts';
import { fieldProblem, type Problem } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Ago, Time } from '../../ui/cells.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Bar, Loading, ReadProblem } from '../../ui/loading.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Page, Section } from '../../ui/page.tsx';

const ROLES = ['owner', 'developer', 'support', 'viewer'] as const satisfies readonly Role[];

/** Shown only if no mail server sends the invitation, and only to owners of the company that runs the installation. */
const InvitationLink = ({ email, url, onClose }: { email: string; url: string; onClose(): void }) => (
  <Dialog
    title={t('team.link')}
    onClose={onClose}
    actions={
      <Button look="primary" onClick={onClose}>
        {t('dialog.done')}
      </Button>
    }
  >
    <div className="grid gap-4">
      <p className="text-soft">{t('team.linkAbout', { email })}</p>
      <CodeBlock text={url} label={t('team.link')} />
    </div>
  </Dialog>
);

function InviteDialog({ onClose }: { onClose(): void }) {
  const { company_id } = useCurrentGame();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const invite = useAction(
    () =>
      call('POST /dashboard/api/companies/{company_id}/invitations', {
        params: { company_id },
        body: { email: email.trim(), role },
      }),
    {
      quiet: true,
      done: () => t('team.invited', { email: email.trim() }),
      after: ({ url }) => {
        if (url === null) onClose();
      },
    },
  );
  if (invite.data?.url) return <InvitationLink email={email.trim()} url={invite.data.url} onClose={onClose} />;
  const issue = fieldProblem(invite.error, '/email');
  return (
    <Dialog
      title={t('team.invite')}
      onClose={onClose}
      onSubmit={() => invite.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={invite.isPending}>
            {t('team.inviteDo')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <TextField
          type="email"
          label={t('column.email')}
          value={email}
          error={issue}
          onChange={({ target }) => setEmail(target.value)}
        />
        <SelectField
          label={t('team.role')}
          hint={t(`role.about.${role}`)}
          value={role}
          onChange={({ target }) => setRole(target.value as Role)}
        >
          {ROLES.map(one => (
            <option key={one} value={one}>
              {t(`role.${one}`)}
            </option>
          ))}
        </SelectField>
      </div>
    </Dialog>
  );
}

function MemberRow({ member, onRemove, onSignOut }: { member: Member; onRemove(): void; onSignOut(): void }) {
  const { company_id, may } = useCurrentGame();
  const change: UseMutationResult<Member, Problem, Role> = useAction(
    (role: Role) =>
      call('PATCH /dashboard/api/companies/{company_id}/members/{user_id}', {
        params: { company_id, user_id: member.user_id },
        body: { role },
      }),
    {
      done: changed => t('team.changed', { who: memberName(member), role: t(`role.${changed.role}`) }),
      undo: () => () => change.mutate(member.role),
    },
  );
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {memberName(member)}
          {member.is_you && (
            <span className="rounded-full bg-sunk px-2 text-12 font-medium text-soft">{t('team.you')}</span>
          )}
          {(member.totp_enabled || member.passkeys > 0) && (
            <span className="inline-flex items-center gap-1 text-12 font-medium text-good">
              <ShieldCheck size={14} aria-hidden />
              {t('team.twoStep')}
            </span>
          )}
        </p>
        <p className="text-soft">
          {member.name && `${member.email} · `}
          {member.last_seen_at === null ? (
            t('team.neverSeen')
          ) : (
            <>
              {t('team.seen')} <Ago at={member.last_seen_at} />
            </>
          )}
        </p>
      </div>
      {may('manageTeam') ? (
        <>
          <select
            aria-label={t('team.roleOf', { who: member.email })}
            value={member.role}
            disabled={change.isPending}
            onChange={({ target }) => change.mutate(target.value as Role)}
            className="h-9 rounded-md border border-line bg-surface px-2 touch-44"
          >
            {ROLES.map(one => (
              <option key={one} value={one}>
                {t(`role.${one}`)}
              </option>
            ))}
          </select>
          {!member.is_you && member.last_seen_at !== null && (
            <Button size="small" onClick={onSignOut}>
              {t('team.signOut')}
            </Button>
          )}
          <Button size="small" onClick={onRemove}>
            {t(member.is_you ? 'team.leave' : 'team.remove')}
          </Button>
        </>
      ) : (
        <span className="text-soft">{t(`role.${member.role}`)}</span>
      )}
    </li>
  );
}

function RemoveMemberDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { company_id, company } = useCurrentGame();
  const who = memberName(member);
  const remove = useAction(
    () =>
      call('DELETE /dashboard/api/companies/{company_id}/members/{user_id}', {
        params: { company_id, user_id: member.user_id },
      }),
    { quiet: true, done: () => t('team.removed', { who }), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('team.removeAsk', { who })}
      action={t('team.removeDo')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('team.removeAbout', { company: company.name })}
    </ConfirmDialog>
  );
}

function SignOutDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { company_id, company } = useCurrentGame();
  const who = memberName(member);
  const end = useAction(
    () =>
      call('DELETE /dashboard/api/companies/{company_id}/members/{user_id}/sessions', {
        params: { company_id, user_id: member.user_id },
      }),
    { quiet: true, done: () => t('team.signedOut', { who }), after: onClose },
  );
  return (
    <ConfirmDialog
      question={t('team.signOutAsk', { who })}
      action={t('team.signOutDo')}
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      {t('team.signOutAbout', { company: company.name })}
    </ConfirmDialog>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { company_id } = useCurrentGame();
  const params = { company_id, invitation_id: invitation.id };
  const resend = useAction(
    () => call('POST /dashboard/api/companies/{company_id}/invitations/{invitation_id}/resend', { params }),
    { done: () => t('team.resent', { email: invitation.email }) },
  );
  const revoke = useAction(
    () => call('DELETE /dashboard/api/companies/{company_id}/invitations/{invitation_id}', { params }),
    {
      done: () => t('team.revoked', { email: invitation.email }),
      undo: () => () =>
        void call('POST /dashboard/api/companies/{company_id}/invitations', {
          params: { company_id },
          body: { email: invitation.email, role: invitation.role },
        }),
    },
  );
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{invitation.email}</p>
        <p className={invitation.is_expired ? 'text-warn' : 'text-soft'}>
          {t(`role.${invitation.role}`)} ·{' '}
          {invitation.is_expired ? (
            t('team.expired')
          ) : (
            <>
              {t('team.until')} <Time at={invitation.expires_at} />
            </>
          )}
        </p>
      </div>
      <Button size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
        {t('team.resend')}
      </Button>
      <Button size="small" busy={revoke.isPending} onClick={() => revoke.mutate()}>
        {t('team.revoke')}
      </Button>
      {resend.data?.url && <InvitationLink email={invitation.email} url={resend.data.url} onClose={resend.reset} />}
    </li>
  );
}

function Invitations() {
  const { company_id } = useCurrentGame();
  const read = useRead('GET /dashboard/api/companies/{company_id}/invitations', { params: { company_id } });
  if (!read.data || read.data.data.length === 0) return null;
  return (
    <Section title={t('team.invitations')} className="mt-6 border-t-0">
      <ul className="border-t border-line">
        {read.data.data.map(invitation => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Section>
  );
}

export function TeamPage() {
  const { company_id, company, may } = useCurrentGame();
  const [filters, change] = useFilters();
  const [isInviting, setInviting] = useState(filters.invite !== undefined);
  const [removed, setRemoved] = useState<Member | null>(null);
  const [signedOut, setSignedOut] = useState<Member | null>(null);
  const read = useRead('GET /dashboard/api/companies/{company_id}/members', { params: { company_id } });
  return (
    <Page
      title={t('nav.team')}
      about={t('team.about', { company: company.name })}
      actions={
        may('manageTeam') && (
          <Button look="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setInviting(true)}>
            {t('team.invite')}
          </Button>
        )
      }
    >
      {read.isError && <ReadProblem error={read.error} retry={() => void read.refetch()} />}
      {read.isPending && (
        <div className="grid gap-4 border-t border-line py-5">
          <Loading />
          <Bar className="w-56" />
        </div>
      )}
      {read.data && (
        <ul className="border-t border-line">
          {read.data.data.map(member => (
            <MemberRow
              key={member.user_id}
              member={member}
              onRemove={() => setRemoved(member)}
              onSignOut={() => setSignedOut(member)}
            />
          ))}
        </ul>
      )}
      {read.data?.data.length === 1 && (
        <p className="flex items-center gap-2 pt-4 text-soft">
          <Users size={16} aria-hidden className="shrink-0" />
          {t('team.alone')}
        </p>
      )}
      {may('manageTeam') && <Invitations />}
      {isInviting && may('manageTeam') && (
        <InviteDialog
          onClose={() => {
            setInviting(false);
            if (filters.invite !== undefined) change({ invite: undefined }, { replace: true });
          }}
        />
      )}
      {signedOut && <SignOutDialog member={signedOut} onClose={() => setSignedOut(null)} />}
      {removed && <RemoveMemberDialog member={removed} onClose={() => setRemoved(null)} />}
    </Page>
  );
}
