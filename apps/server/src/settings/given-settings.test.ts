import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { givenSettings } from './given-settings.ts';

it('commands of the banner carry what this start was given, and no secret', () => {
  expect(givenSettings({})).toBe('');
  expect(givenSettings({ PORT: '4250', DATA_DIR: 'shop data', LOG_LEVEL: 'debug' })).toBe(
    `DATA_DIR='${resolve('shop data')}' PORT=4250 `,
  );
  const secret = givenSettings({ DATABASE_URL: 'postgresql://me:pw@db/shop', MASTER_KEY: 'abc', PORT: ' ' });
  expect(secret).toBe('DATABASE_URL=… MASTER_KEY=… ');
});
