import { afterEach, beforeEach } from 'vitest';

/**
 * For a file whose tests go on from each other: after a step that failed the later ones could only fail of it too, so they are left
 * out. `npm test` runs such a file once more from its beginning.
 */
export function inSequence(): void {
  let isBroken = false;
  beforeEach(({ skip, task }) => {
    // A second try would be left out as a later step is, and the failure with it.
    if (task.retry) throw new Error('A step of a sequence is not tried again by itself.');
    skip(isBroken, 'an earlier step failed');
  });
  afterEach(({ task }) => {
    isBroken ||= task.result?.state === 'fail';
  });
}
