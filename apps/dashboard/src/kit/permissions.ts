import type { Role } from '@coinslot/contract';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, support: 1, developer: 2, owner: 3 };

/** The lowest role that may do each thing. The server enforces the same roles, and a test compares the two. */
export const REQUIRED_ROLE = {
  addGame: 'developer',
  changeStoreLink: 'developer',
  renameCompany: 'owner',
  changeItems: 'developer',
  makeTestOrder: 'developer',
  useSandboxTools: 'developer',
  actOnAttention: 'support',
  actInBulk: 'support',
  changeWebhooks: 'developer',
  checkSignature: 'developer',
  replayEvents: 'support',
  manageKeys: 'developer',
  changeAppearance: 'developer',
  changeReceipts: 'developer',
  changeSeller: 'developer',
  changeGrantRules: 'developer',
  changeRates: 'developer',
  switchMethods: 'owner',
  connectProvider: 'owner',
  testProvider: 'developer',
  manageTeam: 'owner',
  compareDay: 'support',
  resolveDifference: 'support',
  erasePlayer: 'owner',
  exportPlayer: 'owner',
  readAudit: 'developer',
} as const satisfies Readonly<Record<string, Role>>;

export type Permission = keyof typeof REQUIRED_ROLE;

/** A role that this version does not know may read everything and change nothing. */
export const isAllowed = (role: Role, act: Permission): boolean => (RANK[role] ?? 0) >= RANK[REQUIRED_ROLE[act]];
