import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { parseNetwork } from './public-address.ts';
import { checkUrl, readTarget, type TargetPolicy, vetAddresses } from './target.ts';

const production: TargetPolicy = { production: true, hosts: [], allowNetworks: [] };
const development: TargetPolicy = { production: false, hosts: [], allowNetworks: [] };

function allowing(...networks: string[]): TargetPolicy {
  return { production: true, hosts: [], allowNetworks: networks.map(text => parseNetwork(text)!) };
}

const codeOf = (url: string, policy = production): string | null => checkUrl(url, policy)?.code ?? null;

describe('a URL for webhooks (row 54)', () => {
  it.each([
    'https://game.example/hooks',
    'https://game.example:8443/hooks?tenant=1',
    'https://game.example.',
    'HTTPS://GAME.example',
    'https://bücher.example/ü',
    'https://93.184.216.34/hooks',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://localhost.example.com/',
    'https://my_game.example.com/',
    `https://${'a'.repeat(63)}.example/`,
    'https://internal.example.com/',
  ])('passes: %s', url => {
    expect(checkUrl(url, production)).toBeNull();
  });

  it.each([
    ['http://game.example/', 'url_not_https'],
    ['ftp://game.example/', 'url_invalid'],
    ['javascript:alert(1)', 'url_invalid'],
    ['//game.example/', 'url_invalid'],
    ['https:game.example', 'url_invalid'],
    ['https:\\\\game.example', 'url_invalid'],
    ['https://game.example\\@evil.example', 'url_invalid'],
    ['https://game.exa\tmple', 'url_invalid'],
    [' https://game.example', 'url_invalid'],
    ['https://game.example/a\r\nx: y', 'url_invalid'],
    ['https://', 'url_invalid'],
    ['', 'url_invalid'],
    ['https://game.example/#top', 'url_invalid'],
    ['https://game.example/#', 'url_invalid'],
    ['https://game.example..', 'url_invalid'],
    ['https://.game.example/', 'url_invalid'],
    ['https://game..example/', 'url_invalid'],
    ['https://*.game.example/', 'url_invalid'],
    ['https://-game.example/', 'url_invalid'],
    ['https://game-.example/', 'url_invalid'],
    [`https://${'a'.repeat(64)}.example/`, 'url_invalid'],
    [`https://${'a.'.repeat(126)}example/`, 'url_invalid'],
    ['https://metadata/', 'address_not_allowed'],
    ['https://ip6-localhost/', 'address_not_allowed'],
    ['https://kubernetes.default.svc/', 'address_not_allowed'],
    ['https://wiki.corp/', 'address_not_allowed'],
    ['https://user:pass@game.example/', 'url_credentials'],
    ['https://user@game.example/', 'url_credentials'],
    ['https://@game.example/', 'url_credentials'],
    ['https://game.example:22/', 'url_port'],
    ['https://game.example:25/', 'url_port'],
    ['https://game.example:6379/', 'url_port'],
    ['https://game.example:5432/', 'url_port'],
    ['https://game.example:0/', 'url_port'],
    ['https://game.example:65536/', 'url_invalid'],
    ['https://[fe80::1%25eth0]/', 'url_invalid'],
    ['https://[::1%lo]/', 'url_invalid'],
    [`https://game.example/${'a'.repeat(2083)}`, 'url_invalid'],
  ])('is refused: %s (%s)', (url, code) => {
    expect(codeOf(url)).toBe(code);
  });

  it('may be as long as 2,083 characters', () => {
    expect(codeOf(`https://game.example/${'a'.repeat(2083 - 21)}`)).toBeNull();
  });

  it('is sent to the normalized host', () => {
    expect(readTarget('https://GAME.example.:8443/a?b=c', production)).toMatchObject({
      origin: 'https://game.example:8443',
      host: 'game.example',
      path: '/a?b=c',
    });
    expect(readTarget('https://gаme.example', production)).toMatchObject({ host: 'xn--gme-6cd.example' });
    expect(readTarget('https://[2606:2800:220:1::1]/', production)).toMatchObject({
      origin: 'https://[2606:2800:220:1::1]',
    });
  });
});

describe('an address that is not public (rows 50, 51)', () => {
  it.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '127.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::808:808]',
    '[64:ff9b:1::7f00:1]',
    '[100::1]',
    '[2001::7f00:1]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[4000::1]',
    'localhost',
    'LOCALHOST.',
    'game.localhost',
    'metadata.google.internal',
    'metadata.goog',
    'db.internal',
    'printer.local',
    'router.home.arpa',
  ])('is refused however it is written: %s', host => {
    expect(codeOf(`https://${host}/`)).toBe('address_not_allowed');
  });

  it('refuses every answer of DNS when it is among them', () => {
    expect(vetAddresses(['93.184.216.34', '2606:2800:220:1::1'], production)).toBeNull();
    expect(vetAddresses(['93.184.216.34', '10.0.0.1'], production)).not.toBeNull();
    expect(vetAddresses(['93.184.216.34', '::1'], production)).not.toBeNull();
    expect(vetAddresses(['fe80::1%eth0'], production)).not.toBeNull();
    expect(vetAddresses(['2606:2800:220:1::1%1'], production)).not.toBeNull();
    expect(vetAddresses(['nonsense'], production)).not.toBeNull();
    expect(vetAddresses([], production)).not.toBeNull();
  });

  it('never passes inside an IPv6 address, wherever it is embedded', () => {
    const privates = fc.constantFrom('7f00:1', 'a00:1', 'a9fe:a9fe', 'c0a8:1');
    const wrappers = fc.constantFrom(
      (x: string) => `::${x}`,
      (x: string) => `::ffff:${x}`,
      (x: string) => `::ffff:0:${x}`,
      (x: string) => `64:ff9b::${x}`,
      (x: string) => `64:ff9b:1::${x}`,
      (x: string) => `2002:${x}::1`,
    );
    fc.assert(
      fc.property(privates, wrappers, fc.boolean(), (inner, wrap, long) => {
        const address = ipaddr.parse(wrap(inner));
        const text = long ? address.toNormalizedString() : address.toString();
        expect(vetAddresses([text], production)).not.toBeNull();
        expect(vetAddresses([text], development)).not.toBeNull();
      }),
    );
  });
});

describe('development', () => {
  it.each(['http://localhost:3000/hooks', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://localhost'])(
    'allows this machine: %s',
    url => {
      expect(codeOf(url, development)).toBeNull();
    },
  );

  it.each([
    ['http://game.example/', 'url_not_https'],
    ['http://93.184.216.34/', 'url_not_https'],
    ['http://10.0.0.1/', 'address_not_allowed'],
    ['http://0.0.0.0/', 'address_not_allowed'],
    ['http://[::ffff:127.0.0.1]/', 'address_not_allowed'],
    ['http://169.254.169.254/', 'address_not_allowed'],
    ['http://localhost:6379/', 'url_port'],
  ])('allows nothing else: %s (%s)', (url, code) => {
    expect(codeOf(url, development)).toBe(code);
  });
});

describe('networks the operator allows', () => {
  it('let their addresses and private names pass, over https only', () => {
    const policy = allowing('10.1.0.0/16', 'fd00:1::/32', '192.168.7.7');
    for (const host of ['10.1.2.3', '[fd00:1::5]', '192.168.7.7', 'game.internal', 'game']) {
      expect(codeOf(`https://${host}/`, policy)).toBeNull();
    }
    expect(codeOf('http://10.1.2.3/', policy)).toBe('url_not_https');
    expect(codeOf('https://10.2.0.1/', policy)).toBe('address_not_allowed');
    expect(codeOf('https://[::ffff:10.1.2.3]/', policy)).toBe('address_not_allowed');
    expect(codeOf('https://metadata.google.internal/', policy)).toBe('address_not_allowed');
    expect(codeOf('https://localhost/', policy)).toBe('address_not_allowed');
  });

  it('can hold this machine in production', () => {
    expect(readTarget('https://localhost/', allowing('127.0.0.0/8'))).toMatchObject({ addresses: ['127.0.0.1'] });
  });

  it('are refused when they are not networks', () => {
    for (const text of ['', '10.0.0.0/33', '10.0.0.0/x', 'game.example', 'fd00::/129']) {
      expect(parseNetwork(text)).toBeNull();
    }
  });
});

describe('hosts that the operator lists', () => {
  const policy: TargetPolicy = { ...production, hosts: ['game.example', '*.studio.example', '93.184.216.34'] };

  it('are the only ones', () => {
    const listed = [
      'game.example',
      'GAME.example',
      'game.example.',
      'a.studio.example',
      'a.b.studio.example',
      '93.184.216.34',
    ];
    for (const host of listed) expect(codeOf(`https://${host}/hooks`, policy)).toBeNull();
    const others = [
      'other.example',
      'a.game.example',
      'studio.example',
      'evilstudio.example',
      'game.example.evil.example',
    ];
    for (const host of [...others, '93.184.216.35', '[2606:2800:220:1:248:1893:25c8:1946]', 'localhost'])
      expect(codeOf(`https://${host}/hooks`, policy)).toBe('address_not_allowed');
  });

  it('must be public all the same', () => {
    expect(codeOf('https://10.0.0.1/', { ...production, hosts: ['10.0.0.1'] })).toBe('address_not_allowed');
    expect(codeOf('https://db.internal/', { ...production, hosts: ['*.internal'] })).toBe('address_not_allowed');
  });
});
