import { describe, expect, test } from 'vitest';
import { browserName } from './browser-name.ts';

const MOZILLA = 'Mozilla/5.0';
const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the browser of a session', () => {
  test.each([
    [`${MOZILLA} (X11; Linux x86_64) ${KHTML} Chrome/126.0 Safari/537.36`, 'Chrome', 'Linux', false],
    [`${MOZILLA} (Windows NT 10.0) ${KHTML} Chrome/126.0 Safari/537.36 Edg/126.0`, 'Edge', 'Windows', false],
    [`${MOZILLA} (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari/604.1`, 'Safari', 'iOS', true],
    [`${MOZILLA} (Android 14; Mobile) Gecko/127.0 Firefox/127.0`, 'Firefox', 'Android', true],
    ['curl/8', 'curl/8', '', false],
    ['', '', '', false],
  ])('%s is %s on %s', (agent, browser, system, isPhone) => {
    expect(browserName(agent)).toEqual({ browser, system, isPhone });
  });

  test('that is unknown is cut to a line', () => {
    expect(browserName('x'.repeat(300)).browser).toHaveLength(40);
  });
});
