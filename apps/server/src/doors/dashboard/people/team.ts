import { dashboardEndpoints as calls } from '@coinslot/contract';
import { type Invitation, listInvitations } from '../../../domain/company/invitation.sql.ts';
import { invite, resendInvitation, revokeInvitation, type SentInvitation } from '../../../domain/company/invite.ts';
import { changeRole, endMemberSessions, removeMember } from '../../../domain/company/manage-members.ts';
import { listMembers, type Member } from '../../../domain/company/member.sql.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

const memberView = (member: Member, userId: string) => ({
  ...onWire(member, 'user_id, email, name, role, totp_enabled, passkeys, last_seen_at, created_at'),
  is_you: member.userId === userId,
});

const invitationView = (invitation: Invitation & Partial<SentInvitation>) => ({
  ...onWire(invitation, 'id, email, role, invited_by, is_expired, sent_at, expires_at, created_at'),
  url: invitation.url ?? null,
});

export function mountTeam(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listMembers, async ({ company, actor }) => {
    const members = await listMembers(shop.db, company.id);
    return { data: members.map(member => memberView(member, actor.userId)) };
  });

  mount(calls.changeRole, async ({ company, actor }, { params, body }) => {
    const change = { userId: params.user_id, role: body.role };
    return memberView(await changeRole(shop, actor, company.id, change), actor.userId);
  });

  mount(calls.removeMember, async ({ company, actor }, { params }) =>
    removeMember(shop, actor, company.id, params.user_id),
  );

  mount(calls.endMemberSessions, async ({ company, actor }, { params }) =>
    endMemberSessions(shop, actor, company.id, params.user_id),
  );

  mount(calls.listInvitations, async ({ company }) => {
    const invitations = await listInvitations(shop.db, company.id);
    return { data: invitations.map(invitation => invitationView(invitation)) };
  });

  mount(calls.invite, async ({ company, actor, signedIn }, { body }) =>
    invitationView(await invite(shop, actor, company.id, { email: body.email, role: body.role, by: signedIn })),
  );

  mount(calls.resendInvitation, async ({ company, actor, signedIn }, { params }) =>
    invitationView(await resendInvitation(shop, actor, company.id, { id: params.invitation_id, by: signedIn })),
  );

  mount(calls.revokeInvitation, async ({ company, actor }, { params }) =>
    revokeInvitation(shop, actor, company.id, params.invitation_id),
  );
}
