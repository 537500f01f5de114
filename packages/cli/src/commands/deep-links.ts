import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { addBareCommand, type Runner } from '../command.ts';
import { UsageError } from '../exit-codes.ts';
import { append } from '../read-options.ts';

interface LinkFlags {
  host?: string;
  scheme?: string;
  path: string;
  ios: string[];
  android?: string;
  sha256: string[];
  out?: string;
}

const refuse = (message: string, hint: string): never => {
  throw new UsageError(message, hint);
};

function iosApp(id: string): string {
  return /^[A-Z0-9]{10}\.[\w-]+(?:\.[\w-]+)+$/.test(id)
    ? id
    : refuse(
        `${JSON.stringify(id)} is not an app of Apple.`,
        'It is the team id and the bundle id: ABCDE12345.com.example.game',
      );
}

function androidPackage(name: string): string {
  return /^[a-zA-Z]\w*(?:\.[a-zA-Z]\w*)+$/.test(name)
    ? name
    : refuse(`${JSON.stringify(name)} is not an Android package.`, 'It looks like com.example.game');
}

function fingerprint(text: string): string {
  const hex = text.toUpperCase();
  return /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(hex)
    ? hex
    : refuse(
        'A certificate’s SHA-256 is 32 pairs of hex digits with colons.',
        'Print it with: keytool -list -v -keystore my.keystore',
      );
}

/** iOS reads this file from the studio's own domain before it opens the game for a link. */
const appleFile = (ios: string[], path: string) => ({
  applinks: { details: [{ appIDs: ios.map(iosApp), components: [{ '/': `${path}*`, comment: 'after the payment' }] }] },
});

/** Android reads this one. */
const androidFile = (name: string, sha256: string[]) => [
  {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: androidPackage(name),
      sha256_cert_fingerprints: sha256.map(fingerprint),
    },
  },
];

/** Opens the game from a browser, or the page if the game is not installed. */
export function intentString({
  host,
  path,
  scheme,
  android,
}: {
  host: string;
  path: string;
  scheme: string;
  android: string;
}): string {
  const fallback = encodeURIComponent(`https://${host}${path}`);
  const target = scheme === 'https' ? `${host}${path}` : path.replace(/^\/+/, '');
  return `intent://${target}?order={order_id}#Intent;scheme=${scheme};package=${androidPackage(android)};S.browser_fallback_url=${fallback};end`;
}

export function linkFiles({ path, ios, android, sha256 }: Pick<LinkFlags, 'path' | 'ios' | 'android' | 'sha256'>) {
  const files = new Map<string, unknown>();
  if (ios.length > 0) files.set('apple-app-site-association', appleFile(ios, path));
  if (android) {
    if (sha256.length === 0) refuse('Android asks for the certificate of the app.', 'Give it with --sha256 AB:CD:…');
    files.set('assetlinks.json', androidFile(android, sha256));
  }
  return files;
}

function checkFlags({ host, path, ios, android }: LinkFlags): string {
  if (!host || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(host))
    refuse('Which host?', 'Your own domain: --host play.example.com');
  if (!path.startsWith('/')) refuse('--path starts with a slash.', 'Such as /paid');
  if (ios.length === 0 && !android)
    refuse('For which app?', 'Give --ios ABCDE12345.com.example.game, --android com.example.game, or both.');
  return host!;
}

export function addDeepLinks(program: Command, runner: Runner): void {
  addBareCommand<LinkFlags>(program, runner, {
    name: 'deep-links',
    summary: 'make the /.well-known files that let a link of your domain open the game',
    more: `Serve both files at https://<host>/.well-known/, as application/json and without a redirect. Then use
https://<host>/paid?order={order_id} as back_to_game_url: it opens the game where it is installed, else the page.`,
    examples: [
      [
        'coinslot deep-links --host play.example.com --ios ABCDE12345.com.example.game --android com.example.game --sha256 AB:CD:… --out public',
        'writes public/.well-known/…',
      ],
    ],
    options: command =>
      command
        .option('--host <name>', 'your own domain')
        .option('--path <path>', 'where players come back to', '/paid')
        .option('--ios <team.bundle>', 'can be repeated', append, [])
        .option('--android <package>', 'the package')
        .option('--sha256 <fingerprint>', 'of the certificate that signs the app; can be repeated', append, [])
        .option('--scheme <name>', 'for the Android intent', 'https')
        .option('--out <folder>', 'writes the files there, instead of printing them'),
    async run({ output }, _args, flags) {
      const host = checkFlags(flags);
      const files = linkFiles(flags);
      const intent = flags.android
        ? intentString({ host, path: flags.path, scheme: flags.scheme ?? 'https', android: flags.android })
        : null;
      const backUrl = `https://${host}${flags.path}?order={order_id}`;
      if (flags.out) {
        const folder = join(flags.out, '.well-known');
        await mkdir(folder, { recursive: true });
        for (const [name, content] of files)
          await writeFile(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
      }
      if (output.isJson) {
        output.json({ back_to_game_url: backUrl, android_intent: intent, files: Object.fromEntries(files) });
        return;
      }
      for (const [name, content] of files) {
        output.line(`https://${host}/.well-known/${name}`);
        if (!flags.out) output.line(JSON.stringify(content, null, 2));
      }
      output.fields([
        ['back_to_game_url', backUrl],
        ['android intent', intent],
      ]);
    },
  });
}
