import { type CompanyLine, type DashboardRoute, dashboardEndpoints, type Role } from '@coinslot/contract';
import { describe, expect, test } from 'vitest';
import { isAllowed, type Permission, REQUIRED_ROLE } from './permissions.ts';
import { currentGameOf } from './session.ts';
import { envOf } from './use-env.ts';

const COMPANY = '/dashboard/api/companies/{company_id}' as const;
const GAME = '/dashboard/api/games/{game_id}/{mode}' as const;

/** The route behind each permission. */
const CALLS: Readonly<Record<Permission, DashboardRoute>> = {
  addGame: `POST ${COMPANY}/games`,
  changeStoreLink: `PATCH ${COMPANY}/games/{game_id}`,
  renameCompany: `PATCH ${COMPANY}`,
  changeItems: `PUT ${GAME}/items/{sku}`,
  makeTestOrder: `POST ${GAME}/test_orders`,
  useSandboxTools: `PUT ${GAME}/chaos`,
  actOnAttention: `POST ${GAME}/attention/{payment_id}`,
  actInBulk: `POST ${GAME}/bulk`,
  changeWebhooks: `PATCH ${GAME}/webhooks/{webhook_id}`,
  checkSignature: `POST ${GAME}/webhooks/{webhook_id}/check_signature`,
  replayEvents: `POST ${GAME}/webhooks/{webhook_id}/replay`,
  manageKeys: `POST ${GAME}/keys`,
  changeAppearance: `PATCH ${GAME}/appearance`,
  changeReceipts: `PATCH ${COMPANY}/receipts`,
  changeSeller: `PATCH ${COMPANY}/seller`,
  changeGrantRules: `PATCH ${GAME}/grant-rules`,
  changeRates: `PUT ${COMPANY}/rates`,
  switchMethods: `PATCH ${COMPANY}/methods/{method}`,
  connectProvider: `PUT ${COMPANY}/providers/{provider}`,
  testProvider: `POST ${COMPANY}/providers/{provider}/test`,
  manageTeam: `POST ${COMPANY}/invitations`,
  compareDay: `POST ${COMPANY}/reconciliation/runs`,
  resolveDifference: `POST ${COMPANY}/reconciliation/differences/{difference_id}/resolve`,
  erasePlayer: `DELETE ${GAME}/players/{player_id}`,
  exportPlayer: `GET ${GAME}/players/{player_id}/export`,
  readAudit: `GET ${COMPANY}/audit`,
};

describe('a button', () => {
  test.each(Object.entries(CALLS))('for %s asks for the role that the server asks for', (act, route) => {
    const call = Object.values(dashboardEndpoints).find(({ method, path }) => `${method} ${path}` === route);
    expect(call).toHaveProperty('role', REQUIRED_ROLE[act as Permission]);
  });

  const actsOf = (role: Role): string[] =>
    (Object.keys(REQUIRED_ROLE) as Permission[]).filter(act => isAllowed(role, act));

  test('is shown to an owner, whatever it does', () => {
    expect(actsOf('owner')).toEqual(Object.keys(REQUIRED_ROLE));
  });

  test('is shown to support only for payments, deliveries and reconciliation', () => {
    expect(actsOf('support')).toEqual([
      'actOnAttention',
      'actInBulk',
      'replayEvents',
      'compareDay',
      'resolveDifference',
    ]);
  });

  test('is not shown to a viewer, nor to a role this version does not know', () => {
    expect(actsOf('viewer')).toEqual([]);
    expect(actsOf('auditor' as Role)).toEqual([]);
  });
});

describe('the place', () => {
  const game = (id: string) => ({ id, name: id, icon_url: null }) as CompanyLine['games'][number];
  const companies = [
    { id: 'com_1', name: 'One', role: 'owner', games: [game('game_1')] },
    { id: 'com_2', name: 'Two', role: 'viewer', games: [game('game_2'), game('game_3')] },
  ] as CompanyLine[];

  test('has the rights of the company that the game belongs to', () => {
    expect(currentGameOf(companies, 'game_1')?.may('manageTeam')).toBe(true);
    const other = currentGameOf(companies, 'game_3');
    expect(other?.company.id).toBe('com_2');
    expect(other?.may('replayEvents')).toBe(false);
  });

  test('is none for a game of another company', () => {
    expect(currentGameOf(companies, 'game_9')).toBeNull();
    expect(currentGameOf([], 'game_1')).toBeNull();
  });

  test('is the sandbox only where the address says so', () => {
    expect(envOf({ gameId: 'game_1', mode: 'sandbox' })).toEqual({ game_id: 'game_1', mode: 'sandbox' });
    expect(envOf({ gameId: 'game_1', mode: 'sandbok' }).mode).toBe('live');
    expect(envOf({})).toEqual({ game_id: '', mode: 'live' });
  });
});
