import { describe, expect, it } from 'vitest';
import { type EndpointAnswer, type EndpointHealth, healthAfter, suspectAfter } from './endpoint-health.ts';

const START = new Date('2026-03-01T12:00:00Z');
const at = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);
const answer = (about: string, isWell: boolean, retryAfterSeconds: number | null = null): EndpointAnswer => ({
  endpoint: 'env_1',
  environmentId: 'env_1',
  lane: 'items',
  about,
  isWell,
  retryAfterSeconds,
});
const suspect = suspectAfter(answer('a', false), START);
const failing = (count: number, from: EndpointHealth, seconds: number): EndpointHealth =>
  Array.from({ length: count }).reduce<EndpointHealth>(
    (one, _, order) => healthAfter(one, answer(`b${order}`, false), at(seconds)),
    from,
  );
const down = failing(8, suspect, 1);
const after = (health: EndpointHealth, count: number, isWell: boolean): EndpointHealth =>
  Array.from({ length: count }).reduce<EndpointHealth>(one => healthAfter(one, answer('c', isWell), at(60)), health);

describe('an endpoint', () => {
  it('is only suspected while one delivery alone fails, however often', () => {
    expect(suspect).toMatchObject({ state: 'suspect', slots: 64 });
    expect(healthAfter(suspect, answer('a', false), at(20))).toMatchObject({ state: 'suspect', slots: 64 });
  });

  it('is down when eight others fail with no answer between, and gets one request at a time', () => {
    expect(failing(7, suspect, 1)).toMatchObject({ state: 'suspect', slots: 64 });
    expect(down).toMatchObject({ state: 'down', slots: 1, failingSince: START });
  });

  it('that answers now and then is not down, however many fail between (row 177)', () => {
    const health = Array.from({ length: 100 }).reduce<EndpointHealth>(
      one => healthAfter(failing(5, one, 30), answer('d', true), at(31)),
      suspect,
    );
    expect(health).toMatchObject({ state: 'back', slots: 4 });
    expect(failing(7, health, 40)).toMatchObject({ state: 'back', slots: 4, failingSince: at(40) });
  });

  it('that is back gets 4, 8, 16, 32 and 64 at once, each after as many answers', () => {
    const back = healthAfter(down, answer('b', true), at(60));
    expect(back).toMatchObject({ state: 'back', slots: 4, backAt: at(60), isReleased: false });
    const steps = [4, 4 + 8, 4 + 8 + 16, 4 + 8 + 16 + 32].map(count => after(back, count, true).slots);
    expect(steps).toEqual([8, 16, 32, 64]);
    expect(after(back, 3, true).slots).toBe(4);
    expect(after(back, 500, true).slots).toBe(64);
  });

  it('that fails again while it catches up gets half as many, and is down when it fails on', () => {
    const back = after(healthAfter(down, answer('b', true), at(60)), 4 + 8, true);
    expect(after(back, 1, false)).toMatchObject({ state: 'back', slots: 8 });
    expect(after(back, 2, false)).toMatchObject({ state: 'back', slots: 4 });
    expect(after(back, 7, false)).toMatchObject({ state: 'back', slots: 4 });
    expect(after(back, 8, false)).toMatchObject({ state: 'down', slots: 1, backAt: null, failingSince: at(60) });
  });

  it('that answers for others is not slowed by the one delivery that keeps failing', () => {
    const back = healthAfter(suspect, answer('c', true), at(5));
    expect(back).toMatchObject({ state: 'back', slots: 64 });
    expect(healthAfter(back, answer('a', false), at(6))).toEqual(back);
  });

  it('is tried after a tenth of its outage, between 5 s and a minute, and not before it asked', () => {
    const pauses = [1, 100, 300, 86_400].map(seconds => {
      const { nextProbeAt } = healthAfter(down, answer('b', false), at(seconds));
      return (nextProbeAt.getTime() - at(seconds).getTime()) / 1000;
    });
    expect(pauses).toEqual([5, 10, 30, 60]);
    expect(healthAfter(down, answer('b', false, 600), at(1)).nextProbeAt).toEqual(at(601));
    expect(healthAfter(down, answer('b', false, 86_400), at(1)).nextProbeAt).toEqual(at(3_601));
  });
});
