import { expect, it } from 'vitest';
import { loadConfig } from '../../settings/config.ts';
import { shareConnections } from './share-connections.ts';

const ofProcess = (env: Record<string, string>): number => loadConfig(env).operations.databaseConnections;

it('the pools never open more than the total, and every one can be used', () => {
  for (let total = 8; total <= 200; total++) {
    const sizes = Object.values(shareConnections(total));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(1);
    expect(sizes.reduce((sum, size) => sum + size, 1)).toBeLessThanOrEqual(total);
  }
  expect(shareConnections(39)).toEqual({ doors: 12, money: 12, provider: 8, report: 6 });
});

it('the processes of one command share one total', () => {
  const url = 'postgresql://db/coinslot';
  expect(ofProcess({ DATABASE_URL: url })).toBe(39);
  expect(ofProcess({ DATABASE_URL: url, PROCESSES: '4' })).toBe(39);
  expect(ofProcess({ DATABASE_URL: url, PROCESSES: '4', DATABASE_CONNECTIONS: '60' })).toBe(15);
  // The embedded one takes 100.
  expect(ofProcess({ PROCESSES: '4' })).toBe(22);
  expect(() => loadConfig({ PROCESSES: '4', DATABASE_CONNECTIONS: '20' })).toThrow(/DATABASE_CONNECTIONS/);
  expect(() => loadConfig({ PROCESSES: 'all' })).toThrow(/PROCESSES must be auto or/);
  expect(loadConfig({ PROCESSES: 'auto' }).operations.processes).toBeGreaterThanOrEqual(1);
});
