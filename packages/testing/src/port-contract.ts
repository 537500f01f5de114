import { describe, expect, it } from 'vitest';
import type { Charge, Dispute, Refusal } from '../../../apps/server/src/domain/payment/providers/base/charge-shape.ts';
import type { AuthorizeRequest, RefundAnswer } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import { type Evidence, OutcomeUnknown } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import type { OpenedAccount, Provider } from '../../../apps/server/src/domain/payment/providers/base/provider.ts';
import type { BalanceEntry } from '../../../apps/server/src/domain/payment/providers/base/provider-day.ts';
import type { HeldState, Lacking, PortUnderTest } from './port-under-test.ts';

export type { PortUnderTest, Step } from './port-under-test.ts';

const statusOf = (answer: RefundAnswer): string => (answer.kind === 'charge' ? answer.charge.status : answer.kind);

function refusalIn(answer: RefundAnswer): Refusal {
  if (answer.kind !== 'refused') throw new Error(`not refused but ${answer.kind}`);
  return answer.refusal;
}

/** An answer that is not known is asked for by looking up, as a worker does, until it is. */
async function lookUpUntilKnown({ gateway, later }: PortUnderTest, request: AuthorizeRequest): Promise<Charge | null> {
  for (let tries = 0; ; tries++) {
    try {
      return await gateway().lookUp(request);
    } catch (error) {
      if (!(error instanceof OutcomeUnknown) || tries > 5) throw error;
      await later();
    }
  }
}

const has = ({ lacks = [] }: PortUnderTest, what: Lacking): boolean => !lacks.includes(what);

const onlyOnce = (kinds: readonly string[], kind: string): boolean => kinds.filter(made => made === kind).length === 1;

function moneyMoves(port: PortUnderTest): void {
  it('reserves, captures and returns the money, once each, however often it is asked', async () => {
    const request = await port.request();
    const gateway = port.gateway();
    expect(await gateway.authorize(request)).toMatchObject({ status: 'authorized', amountMinor: request.amountMinor });
    for (let i = 0; i < 2; i++) expect(statusOf(await gateway.capture(request))).toBe('captured');
    for (let i = 0; i < 2; i++) expect(statusOf(await gateway.refund(request))).toBe('refunded');
    expect(await gateway.lookUp(request)).toMatchObject({ status: 'refunded' });
    expect((await port.books(request)).toSorted()).toEqual(['authorized', 'captured', 'refunded']);
  });

  it('releases what it reserved, and captures nothing of it after that', async () => {
    const request = await port.request();
    const gateway = port.gateway();
    await gateway.authorize(request);
    for (let i = 0; i < 2; i++) expect(statusOf(await gateway.void(request))).toBe('voided');
    expect(statusOf(await gateway.capture(request))).toBe('voided');
    expect(await port.books(request)).not.toContain('captured');
  });

  it('does not release what is captured, and says where it stands', async () => {
    const request = await port.request();
    const gateway = port.gateway();
    await gateway.authorize(request);
    await gateway.capture(request);
    expect(statusOf(await gateway.void(request))).toBe('captured');
  });

  it('of which it has never heard is null, never begins later, and every step on it is refused for good', async () => {
    const request = await port.request();
    const gateway = port.gateway();
    expect(await gateway.lookUp(request)).toBeNull();
    expect(await gateway.authorize(request)).toMatchObject({ status: 'declined', declinedBy: 'shop' });
    for (const step of ['capture', 'void', 'refund'] as const) {
      expect(refusalIn(await gateway[step](request))).toMatchObject({ whose: 'shop', isFinal: true });
    }
    expect(await port.books(request)).toEqual([]);
  });

  it('that the bank declines is the bank’s, with a code', async () => {
    const request = await port.declinedRequest();
    const charge = await port.gateway().authorize(request);
    expect(charge).toMatchObject({ status: 'declined', declinedBy: 'bank', refusal: { whose: 'bank' } });
    expect(charge.responseCode).toBeTruthy();
  });
}

function answersGetLost(port: PortUnderTest): void {
  const { loseAnswer, loseRequest, storeFault } = port.trouble;
  const ways = [
    ['its answer is lost', loseAnswer],
    ['it is lost', loseRequest],
    ['the provider has a fault and stores it', storeFault],
  ] as const;

  it.each(ways)('an authorization: %s', async (_, strike) => {
    const request = await port.request();
    strike('authorize');
    const asked = await port
      .gateway()
      .authorize(request)
      .catch((error: unknown) => error);
    // Where nothing can have been reserved by the call that got lost, the provider may say so at once.
    if (!(asked instanceof OutcomeUnknown))
      expect(asked).toMatchObject({ status: 'declined', responseCode: 'provider_busy' });
    const charge = await lookUpUntilKnown(port, request);
    const held = (await port.books(request)).includes('authorized');
    expect(charge?.status ?? null).toBe(held ? 'authorized' : null);
  });

  it.each(ways)('a capture and a refund: %s', async (_, strike) => {
    const request = await port.request();
    const gateway = port.gateway();
    await gateway.authorize(request);
    for (const [step, kind] of [
      ['capture', 'captured'],
      ['refund', 'refunded'],
    ] as const) {
      strike(step);
      await expect(gateway[step](request)).rejects.toThrow(OutcomeUnknown);
      await lookUpUntilKnown(port, request);
      // The next try is not answered with what was stored for the first (row 97).
      expect(statusOf(await gateway[step](request))).toBe(kind);
      expect(onlyOnce(await port.books(request), kind)).toBe(true);
    }
  });
}

function refusals(port: PortUnderTest): void {
  const { refuseForGood, refuseForBalance, refuseOurRequest } = port.trouble;

  it('a capture that is refused says whether for good, and the money is not captured (row 94)', async () => {
    const request = await port.request();
    const gateway = port.gateway();
    await gateway.authorize(request);
    refuseForGood('capture');
    const isFinal = has(port, 'final_refusals');
    expect(refusalIn(await gateway.capture(request))).toMatchObject({ isFinal });
    expect(await port.books(request)).toEqual(['authorized']);
  });

  it('a refund that was refused goes through when the cause is gone (row 95)', async () => {
    const request = await port.request();
    const gateway = port.gateway();
    await gateway.authorize(request);
    await gateway.capture(request);
    refuseForBalance();
    expect(refusalIn(await gateway.refund(request))).toMatchObject({ whose: 'shop', isFinal: false });
    expect(await gateway.lookUp(request)).toMatchObject({ status: 'captured' });
    expect(statusOf(await gateway.refund(request))).toBe('refunded');
  });

  it('our own mistake is never the bank’s, and is told with code, parameter and request (row 99)', async () => {
    const request = await port.request();
    refuseOurRequest();
    const charge = await port.gateway().authorize(request);
    expect(charge).toMatchObject({
      status: 'declined',
      declinedBy: 'shop',
      refusal: {
        whose: 'shop',
        code: expect.any(String),
        param: expect.any(String),
        requestId: has(port, 'request_id') ? expect.any(String) : null,
      },
    });
    expect(await port.books(request)).toEqual([]);
  });
}

async function captured(port: PortUnderTest): Promise<AuthorizeRequest> {
  const request = await port.request();
  await port.gateway().authorize(request);
  await port.gateway().capture(request);
  return request;
}

function whatBanksDoLater(port: PortUnderTest): void {
  const { failRefund, dispute, returnThere } = port.trouble;

  it('a refund that fails at the bank later is visible and can be asked for again (row 96)', async () => {
    const request = await captured(port);
    const gateway = port.gateway();
    expect(statusOf(await gateway.refund(request))).toBe('refunded');
    await failRefund(request);
    expect(await gateway.lookUp(request)).toMatchObject({
      status: 'captured',
      refundFailure: { reason: expect.any(String), code: expect.any(String) },
    });
    expect(statusOf(await gateway.refund(request))).toBe('refunded');
    expect(await gateway.lookUp(request)).toMatchObject({ status: 'refunded', refundFailure: null });
  });

  it.runIf(has(port, 'inquiry'))('an inquiry is ended by a refund (row 98)', async () => {
    const request = await captured(port);
    await dispute(request, 'inquiry');
    expect(await port.gateway().lookUp(request)).toMatchObject({ disputes: [{ status: 'inquiry' }] });
    expect(statusOf(await port.gateway().refund(request))).toBe('refunded');
  });

  const held: readonly HeldState[] = has(port, 'open_disputes') ? ['open', 'unclear', 'lost'] : ['lost'];

  it(`a dispute that is ${held.join(' or ')} is never won, and nothing is returned twice (row 98)`, async () => {
    for (const state of held) {
      const request = await captured(port);
      await dispute(request, state);
      expect(await port.gateway().lookUp(request)).toMatchObject({ disputes: [{ status: state }] });
      const { isFinal } = refusalIn(await port.gateway().refund(request));
      // What is lost may be for good; everything else can still be decided.
      if (state !== 'lost') expect(isFinal).toBe(false);
      expect(await port.books(request)).not.toContain('refunded');
    }
  });

  it('money that a person returned at the provider is not returned again', async () => {
    const request = await captured(port);
    await returnThere(request);
    expect(await port.gateway().lookUp(request)).toMatchObject({ status: 'refunded' });
    expect(statusOf(await port.gateway().refund(request))).toBe('refunded');
    expect(onlyOnce(await port.books(request), 'refunded')).toBe(true);
  });

  it('what was captured is told as it is, whatever was asked for (row 100)', async () => {
    const request = await port.request();
    const gateway = port.gateway();
    await gateway.authorize(request);
    expect(refusalIn(await gateway.capture({ ...request, amountMinor: request.amountMinor + 1 }))).toMatchObject({
      whose: 'shop',
      isFinal: true,
    });
    await gateway.capture(request);
    expect(await gateway.lookUp(request)).toMatchObject({ amountMinor: request.amountMinor });
  });
}

const EVIDENCE: Evidence = {
  product: '1 × potion, 19.99 EUR',
  delivery: 'The game granted the items at 12:00:01 UTC and answered 200.',
  receipt: 'A receipt went to ada@player.test.',
  history: 'Three earlier purchases, none disputed.',
  statement: 'The player used the items.',
  email: 'ada@player.test',
};
const TEXTS = ['product', 'delivery', 'receipt', 'history', 'statement'] as const;

async function disputed(port: PortUnderTest): Promise<AuthorizeRequest & { disputeId: string; evidence: Evidence }> {
  const request = await captured(port);
  await port.trouble.dispute(request, 'open');
  const [dispute] = (await port.gateway().lookUp(request))!.disputes;
  return { ...request, disputeId: dispute!.id, evidence: EVIDENCE };
}

function evidence(port: PortUnderTest): void {
  const { closeEvidence, evidenceOf, dispute, loseAnswer, loseRequest } = port.trouble;

  it('is awaited while a dispute is open, reaches the bank whole, and once, however often it is sent', async () => {
    const asked = await disputed(port);
    const gateway = port.gateway();
    expect((await gateway.lookUp(asked))?.disputes[0]).toMatchObject({
      id: asked.disputeId,
      amountMinor: asked.amountMinor,
      currency: asked.currency,
      status: 'open',
      evidenceStage: 'needed',
      reason: expect.any(String),
      evidenceDueAt: expect.any(Date),
    });
    for (let i = 0; i < 2; i++) {
      expect(await gateway.answerDispute(asked)).toMatchObject({
        kind: 'taken',
        dispute: { evidenceStage: 'submitted' },
      });
    }
    const submitted = await evidenceOf(asked);
    for (const part of TEXTS) expect(submitted).toContain(EVIDENCE[part]);
    expect(await gateway.lookUp(asked)).toMatchObject({ disputes: [{ evidenceStage: 'submitted' }] });
  });

  it('whose answer or request is lost is sent again without harm', async () => {
    for (const strike of [loseAnswer, loseRequest]) {
      const asked = await disputed(port);
      strike('answer');
      await expect(port.gateway().answerDispute(asked)).rejects.toThrow(OutcomeUnknown);
      expect(await port.gateway().answerDispute(asked)).toMatchObject({ kind: 'taken' });
    }
  });

  it('that comes after other evidence, too late, or without a dispute is refused for good', async () => {
    const given = await disputed(port);
    await port.gateway().answerDispute(given);
    const other = { ...given, evidence: { ...EVIDENCE, statement: 'Something else.' } };
    const late = await disputed(port);
    await closeEvidence(late);
    const never = { ...(await captured(port)), disputeId: 'none', evidence: EVIDENCE };
    const cases = [
      [other, 'evidence_already_submitted'],
      [late, 'evidence_too_late'],
      [never, 'dispute_missing'],
    ] as const;
    for (const [asked, code] of cases) {
      expect(await port.gateway().answerDispute(asked)).toMatchObject({
        kind: 'refused',
        refusal: { code, isFinal: true },
      });
    }
    expect(await evidenceOf(given)).not.toContain('Something else.');
    expect(await evidenceOf(late)).toBeNull();
  });

  it('takes its files along, and says which part of it is what', async () => {
    const asked = await disputed(port);
    const gateway = port.gateway();
    expect(gateway.fileRules).toMatchObject({ types: expect.arrayContaining(['application/pdf']) });
    const files = [
      { kind: 'receipt', name: 'receipt-1.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7 a receipt') },
      {
        kind: 'other',
        name: 'other-1.jpg',
        type: 'image/jpeg',
        content: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 13, 10]),
      },
    ] as const;
    for (let i = 0; i < 2; i++) {
      expect(await gateway.answerDispute({ ...asked, files })).toMatchObject({ kind: 'taken' });
    }
    const parts = gateway.previewEvidence!(EVIDENCE, files);
    const submitted = await evidenceOf(asked);
    for (const { text, files: names } of parts) {
      if (text !== EVIDENCE.email) expect(submitted?.replaceAll('\\n', '\n')).toContain(text);
      for (const name of names) expect(submitted).toContain(name);
    }
    expect(parts.flatMap(part => part.files).toSorted()).toEqual(['other-1.jpg', 'receipt-1.pdf']);
    for (const part of TEXTS) expect(parts.map(({ text }) => text).join('\n')).toContain(EVIDENCE[part]);
  });

  it('can be left out: a dispute that is accepted is lost, once, however often it is accepted', async () => {
    for (const strike of [null, loseAnswer, loseRequest]) {
      const asked = await disputed(port);
      const gateway = port.gateway();
      if (strike) {
        strike('accept');
        await expect(gateway.acceptDispute!(asked)).rejects.toThrow(OutcomeUnknown);
      }
      for (let i = 0; i < 2; i++) {
        expect(await gateway.acceptDispute!(asked)).toMatchObject({ kind: 'taken', dispute: { status: 'lost' } });
      }
      expect(await gateway.answerDispute(asked)).toMatchObject({ kind: 'refused', refusal: { isFinal: true } });
      expect(await evidenceOf(asked)).toBeNull();
    }
  });

  it.runIf(has(port, 'inquiry'))('is heard by a bank that only asks, too', async () => {
    const request = await captured(port);
    await dispute(request, 'inquiry');
    const [{ id: disputeId }] = (await port.gateway().lookUp(request))!.disputes as [Dispute];
    const asked = { ...request, disputeId, evidence: EVIDENCE };
    expect(await port.gateway().answerDispute(asked)).toMatchObject({ kind: 'taken' });
  });
}

const DAY_SECONDS = 86_400;

/** What a provider booked in the day around a moment. */
export async function entriesAround(
  provider: Pick<Provider, 'day'>,
  account: OpenedAccount,
  nowSeconds: number,
): Promise<BalanceEntry[]> {
  const range = { fromSeconds: nowSeconds - DAY_SECONDS / 2, toSeconds: nowSeconds + DAY_SECONDS / 2 };
  const found: BalanceEntry[] = [];
  for await (const page of (await provider.day(account, range)).entries()) found.push(...page);
  return found;
}

function balance(port: PortUnderTest): void {
  it('what was captured and returned is booked once each, names its charge, and carries the fee', async () => {
    const known = new Set((await port.entries()).map(({ entryId }) => entryId));
    const request = await captured(port);
    await port.gateway().refund(request);
    const fresh = (await port.entries()).filter(({ entryId }) => !known.has(entryId));
    const [payment, refund, ...more] = fresh.toSorted((a, b) => b.grossMinor - a.grossMinor);
    const { amountMinor, currency } = request;
    expect(payment).toMatchObject({ kind: 'payment', grossMinor: amountMinor, currency, payoutId: null });
    expect(payment!.feeMinor).toBeGreaterThan(0);
    expect(refund).toMatchObject({ kind: 'refund', grossMinor: -amountMinor, currency, chargeId: payment!.chargeId });
    expect(payment!.chargeId).not.toBeNull();
    expect(more).toEqual([]);
  });
}

/** What every gateway must do, whichever provider is behind it. A new provider begins by passing this. */
export function describePort(name: string, port: PortUnderTest): void {
  describe(`${name}: money`, () => moneyMoves(port));
  describe(`${name}: an answer that is not known`, () => answersGetLost(port));
  describe(`${name}: a clear no`, () => refusals(port));
  describe(`${name}: later`, () => whatBanksDoLater(port));
  if (has(port, 'evidence')) describe(`${name}: evidence`, () => evidence(port));
  describe(`${name}: the balance`, () => balance(port));
}
