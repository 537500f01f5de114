import type { Role } from '@coinslot/contract';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, support: 1, developer: 2, owner: 3 };

/** What a member can press, and the least role that may. The server decides by the same roles; a test compares them. */
export const LEAST_ROLE = {
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
} as const satisfies Readonly<Record<string, Role>>;

export type Act = keyof typeof LEAST_ROLE;

/** A role this version does not know may look and change nothing. */
export const isAllowed = (role: Role, act: Act): boolean => (RANK[role] ?? 0) >= RANK[LEAST_ROLE[act]];
