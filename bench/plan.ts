/** How long and how often. Short rounds and many of them: another program on the machine disturbs a few, not the middle. */
export interface Plan {
  rounds: number;
  roundMs: number;
  warmUpMs: number;
  /** Players begin this much earlier. */
  playersWarmUpMs: number;
  deliveriesInRound: number;
  fanOutInRound: number;
  firstByteOrders: number;
  players: number;
  /** 0 leaves the large table out. */
  largeTableOrders: number;
}

export const FULL: Plan = {
  rounds: 5,
  roundMs: 2_000,
  warmUpMs: 4_000,
  playersWarmUpMs: 15_000,
  deliveriesInRound: 2_000,
  fanOutInRound: 4_000,
  firstByteOrders: 300,
  players: 20_000,
  largeTableOrders: 2_000_000,
};

export const QUICK: Plan = {
  ...FULL,
  rounds: 3,
  roundMs: 1_500,
  warmUpMs: 2_500,
  deliveriesInRound: 2_000,
  firstByteOrders: 150,
  largeTableOrders: 0,
};
