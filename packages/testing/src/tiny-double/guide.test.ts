import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { AuthorizeRequest } from '../../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { OpenedAccount, Provider } from '../../../../apps/server/src/domain/payment/providers/base/provider.ts';
import type { GatewayOptions } from '../../../../apps/server/src/domain/payment/providers/base/session.ts';
import { withPlayer } from '../paypal-in-test.ts';
import { describePort, entriesAround, type Step } from '../port-contract.ts';
import { providerInTest } from '../provider-in-test.ts';
import { startTinyDouble } from './tiny-double.ts';

/** The guide's listing as it stands there, in a folder that lies where a provider's does, as far as its imports are concerned. */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const guide = readFileSync(join(ROOT, 'docs/guides/write-a-provider.md'), 'utf8');
const [, listing = ''] = /```ts\n\/\/ tinypay\/tiny-provider\.ts\n([\s\S]+?)```/.exec(guide) ?? [];
const BASE = '../../apps/server/src/domain/payment/providers/base/';
const folder = mkdtempSync(join(ROOT, 'node_modules/.tiny-provider-'));
const file = join(folder, 'tiny-provider.ts');
writeFileSync(file, listing.replaceAll("'../base/", `'${BASE}`));

interface Listed {
  createTinyProvider(
    options: GatewayOptions & {
      settings: { keys: undefined; apiBase: string };
      watch: (gateway: Provider['gateway']) => Provider['gateway'];
    },
  ): Provider;
}
const { createTinyProvider } = (await import(/* @vite-ignore */ file)) as Listed;

const { later, madeOf, request: requestBy } = await providerInTest();
const tiny = await startTinyDouble();
const account: OpenedAccount = {
  accountId: 'shop_1',
  publishableKey: 'shop_1',
  secretKey: 'test_1',
  callbackSecret: null,
  isTest: true,
};
const provider = createTinyProvider({
  ...madeOf(account),
  settings: { keys: undefined, apiBase: tiny.url },
});

afterAll(async () => {
  await tiny.close();
  rmSync(folder, { recursive: true, force: true });
});

const CALLS: Record<Step, RegExp> = {
  authorize: /^POST \/payments$/,
  capture: /\/capture$/,
  void: /\/release$/,
  refund: /\/refund$/,
  answer: /never/,
  accept: /never/,
};
const request = (): AuthorizeRequest => requestBy({ kind: 'redirect', method: 'card' });
const refuse = (step: Step, status: number, code: string): void =>
  tiny.faults.plan(CALLS[step], { kind: 'refuse', status, code, param: 'amount' });
const broke = new Set<string>();

describePort('the provider of the guide', {
  lacks: ['inquiry', 'evidence', 'open_disputes'],
  gateway: () => withPlayer(provider.gateway, ({ paymentId }) => tiny.approve(paymentId, broke.has(paymentId))),
  request: async () => request(),
  async declinedRequest() {
    const asked = request();
    broke.add(asked.paymentId);
    return asked;
  },
  books: async ({ paymentId }) => tiny.movementsOf(paymentId),
  later: () => later(150),
  entries: () => entriesAround(provider, account, 1_800_000_000),
  trouble: {
    loseAnswer: step => tiny.faults.plan(CALLS[step], { kind: 'lose_answer' }),
    loseRequest: step => tiny.faults.plan(CALLS[step], { kind: 'lose_request' }),
    storeFault: step => refuse(step, 500, 'broken'),
    refuseForGood: step => refuse(step, 422, 'too_late'),
    refuseForBalance: () => refuse('refund', 422, 'balance_low'),
    refuseOurRequest: () => refuse('authorize', 400, 'bad_amount'),
    async failRefund({ paymentId }) {
      tiny.paymentOf(paymentId).refund!.status = 'failed';
    },
    async dispute({ paymentId, amountMinor: amount }) {
      tiny.paymentOf(paymentId).chargebacks.push({ id: 'chb_1', amount });
    },
    async returnThere({ paymentId }) {
      const payment = tiny.paymentOf(paymentId);
      payment.refund = { id: 'ref_by_hand', status: 'done' };
      payment.movements.push('refunded');
    },
    closeEvidence: async () => {},
    evidenceOf: async () => null,
  },
});

describe('the listing of the guide', () => {
  it('compiles as it stands', () => {
    const config = join(folder, 'tsconfig.json');
    const base = join(ROOT, 'tsconfig.check.json');
    const compilerOptions = { incremental: false, tsBuildInfoFile: null };
    writeFileSync(config, JSON.stringify({ extends: base, files: [file], include: [], compilerOptions }));
    const args = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config];
    const run = (): string => {
      try {
        return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
      } catch (error) {
        return String((error as { stdout?: unknown }).stdout);
      }
    };
    expect(run()).toBe('');
  }, 120_000);

  it('needs no more than its folder, one line among the known providers, and its settings', () => {
    const known = readFileSync(join(ROOT, 'apps/server/src/program/known-providers.ts'), 'utf8');
    const [, line] = /```ts\n\/\/ known-providers\.ts\n(.+)\n```/.exec(guide)!;
    const written = line!.trim().replaceAll('tinypay', 'mollie').replace('createTinyProvider', 'createMollieProvider');
    expect(known).toContain(written);
    expect(guide).toContain('`apps/server/src/settings/provider-settings.ts`');
    expect(listing).not.toMatch(/from '(?!\.\.\/base\/)/);
  });
});
