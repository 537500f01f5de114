import { setTimeout as pause } from 'node:timers/promises';
import { databaseOn, type TestDatabase } from '@coinslot/testing/database';
import type { BuiltProgram } from '../nothing-is-lost/program-process.ts';
import { Company } from './company.ts';
import type { LabOrder } from './lab-order.ts';
import { hastenHeartbeats, playLongJob } from './long-job.ts';
import type { Defect } from './planted.ts';
import { buildLabProgram, type LabProgram, startHere, startMortal } from './programs.ts';
import type { Evidence, Violation } from './rules/evidence.ts';
import {
  isAnythingDated,
  isLeaseFresh,
  isLedgerBehind,
  listUnbalanced,
  type OrderFacts,
  readFacts,
} from './rules/facts.ts';
import { isOwed, judgeRest, judgeStep } from './rules/rules.ts';
import type { History, Step } from './steps.ts';
import { Studio, type StudioDeps } from './studio.ts';
import { openWorld, type World } from './world/outside.ts';

export interface Finding extends Violation {
  /** Which history of the batch, and after how many steps; null: at rest. */
  history: number;
  step: number | null;
  orderId: string;
}

export interface Counts {
  histories: number;
  steps: number;
  kills: number;
  /** How orders ended: a lab that reaches little proves little. */
  ends: Map<string, number>;
}

export const newCounts = (): Counts => ({ histories: 0, steps: 0, kills: 0, ends: new Map() });

export interface LabOptions {
  serverUrl: string;
  defect?: Defect | null;
  /** Programs in processes of their own, so that they can be killed. */
  mortal: boolean;
  /** Goes on counting where another lab ended. */
  counts?: Counts;
}

const PROGRAMS = 2;
/** Programs die at the books and at the cleaning too. */
const ROUNDS_TO_BOOKS = 5;
const STARTS = 5;
const ORDER_SECONDS = 86_400;
/** The lab's own connections are few. */
const OPEN_AT_ONCE = 16;
const PAST_LEASES_SECONDS = 61;
const LEDGER_LOOKS = 100;
const LEDGER_LOOK_MS = 100;
/** From leases over retries to the end of every patience. */
const TO_REST = [61, 600, 4_000, 20_000, 90_000, 90_000, 400_000, 90_000];

/** Histories share the clock. Few of them move it, else no order would live long enough to be paid. */
const CLOCK_KEEPERS = 3;

export const jumpOf = (steps: readonly (Step | undefined)[]): number =>
  Math.max(0, ...steps.slice(0, CLOCK_KEEPERS).map(step => (step?.do === 'later' ? step.seconds : 0)));

/** The providers' clocks go with the shop's. */
interface LabClock {
  aheadSeconds: number;
  nowSeconds(): number;
}

/** Two programs on one database, and the world around them, for as many histories as wanted. */
export class Lab {
  readonly counts: Counts;
  readonly #database: TestDatabase;
  readonly #world: World;
  readonly #built: BuiltProgram | null;
  readonly #defect: Defect | null;
  readonly #programs: LabProgram[] = [];
  readonly #spares: Promise<LabProgram>[] = [];
  readonly #clock: LabClock;
  /** Puts back what the lab changed in this process. */
  readonly #restore: () => void;
  #company!: Company;
  #turn = 0;
  #rounds = 0;
  /** A program died since the batch began. */
  #hasDeaths = false;

  private constructor(
    database: TestDatabase,
    world: World,
    clock: LabClock,
    built: BuiltProgram | null,
    defect: Defect | null,
    counts: Counts,
    restore: () => void,
  ) {
    this.counts = counts;
    this.#restore = restore;
    this.#database = database;
    this.#world = world;
    this.#clock = clock;
    this.#built = built;
    this.#defect = defect;
  }

  static async open({ serverUrl, defect = null, mortal, counts = newCounts() }: LabOptions): Promise<Lab> {
    const clock: LabClock = { aheadSeconds: 0, nowSeconds: () => Math.floor(Date.now() / 1000) + clock.aheadSeconds };
    const [database, world, built] = await Promise.all([
      databaseOn(serverUrl),
      openWorld(clock.nowSeconds),
      mortal ? buildLabProgram() : null,
    ]);
    const restore = mortal ? () => {} : hastenHeartbeats();
    const lab = new Lab(database, world, clock, built, defect, counts, restore);
    for (let place = 0; place < PROGRAMS; place++) lab.#programs.push(await lab.#start());
    lab.#company = await Company.register(database, lab.#next().url);
    return lab;
  }

  /** On a loaded machine a start may run into a limit of time; then it is tried again. */
  async #start(triesLeft = STARTS): Promise<LabProgram> {
    const options = { database: this.#database, world: this.#world, defect: this.#defect };
    try {
      return await (this.#built ? startMortal(this.#built, options) : startHere(options));
    } catch (error) {
      if (triesLeft <= 1) throw error;
      return this.#start(triesLeft - 1);
    }
  }

  #prepareSpare(): void {
    const spare = this.#start();
    // Whether it started is heard where it is needed.
    spare.catch(() => {});
    this.#spares.push(spare);
  }

  /** The next program that lives. */
  #next(): LabProgram {
    const living = this.#programs.filter(({ isDead }) => !isDead);
    const from = living.length > 0 ? living : this.#programs;
    return from[this.#turn++ % from.length]!;
  }

  /** Plays the histories side by side, step by step, each in an environment of its own. */
  async play(histories: readonly History[], isCounted = true): Promise<Finding[]> {
    const games = await this.#company.openGames(histories.length);
    const studios = histories.map((history, i) => new Studio(this.#studioDeps(), games[i]!, history));
    for (let from = 0; from < studios.length; from += OPEN_AT_ONCE) {
      const some = studios.slice(from, from + OPEN_AT_ONCE);
      await Promise.all(some.map((studio, i) => studio.open(histories[from + i]!)));
    }
    this.#hasDeaths = false;
    const findings: Finding[] = [];
    const rounds = Math.max(0, ...histories.map(({ steps }) => steps.length));
    for (let round = 0; round < rounds; round++) {
      await this.#playRound(
        studios,
        histories.map(({ steps }) => steps[round]),
      );
      findings.push(...(await this.#judge(studios, round)));
      if (findings.length > 0) break;
    }
    if (findings.length === 0) {
      await this.#rest(studios);
      findings.push(...(await this.#judge(studios, null)));
    }
    if (isCounted) {
      this.counts.histories += histories.length;
      this.counts.steps += histories.reduce((sum, { steps }) => sum + steps.length, 0);
    }
    const { books, stripe, paypal, game } = this.#world;
    const orderIds = new Set(studios.flatMap(({ orders }) => orders.map(({ id }) => id)));
    for (const kept of [books, stripe, paypal, game]) kept.forget(orderIds);
    return findings;
  }

  /** Time in which no player buys: the months of what was bought go by, and what is kept for as long goes with them. */
  async grow(seconds: number): Promise<void> {
    await this.#advance(seconds);
    await this.#drain(true);
  }

  /** Beside the histories: what they cannot show, because in them time jumps past every lease at once. */
  async playLongJob(): Promise<Finding[]> {
    if (this.#built) return [];
    const history: History = { provider: 'books', orders: ['priced'], steps: [] };
    const [game] = await this.#company.openGames(1);
    const studio = new Studio(this.#studioDeps(), game!, history);
    await studio.open(history);
    const wrong = await playLongJob({
      studio,
      books: this.#world.books,
      programs: this.#programs,
      advance: seconds => this.#advance(seconds),
      isRenewed: environmentId => isLeaseFresh(this.#database.db, environmentId),
    });
    await this.#drain();
    return wrong.map(violation => ({ history: 0, step: null, orderId: studio.orders[0]?.id ?? '', ...violation }));
  }

  #studioDeps(): StudioDeps {
    return {
      world: this.#world,
      company: this.#company,
      url: () => this.#next().url,
      nowSeconds: this.#clock.nowSeconds,
      hear: ref => this.#next().obey({ what: 'hear', ref }),
    };
  }

  async #playRound(studios: readonly Studio[], steps: readonly (Step | undefined)[]): Promise<void> {
    const kills = steps.filter(step => step?.do === 'kill');
    const first = kills[0];
    // Of many histories some kill each program in every round. With none left nothing would happen in any of them.
    const second = kills.find(({ program }) => program !== first?.program);
    await this.#arm(first);
    const seconds = jumpOf(steps);
    if (seconds > 0) await this.#advance(seconds);
    const acting = Promise.all(studios.map(async (studio, i) => (steps[i] ? studio.take(steps[i]) : undefined)));
    // Past the life of an order, those who are late come before the sweep now and then.
    if (seconds >= ORDER_SECONDS) await acting;
    await Promise.all([acting, ...this.#programs.map(program => program.obey({ what: 'drain' }))]);
    await this.#arm(second);
    await this.#drain(++this.#rounds % ROUNDS_TO_BOOKS === 0);
  }

  async #arm(kill: Extract<Step, { do: 'kill' }> | undefined): Promise<void> {
    if (!kill) return;
    await this.#programs[kill.program]!.obey({ what: 'die', afterStatements: kill.afterStatements });
  }

  /** One of them is enough where nothing else happens meanwhile. */
  async #drain(isWhole = false): Promise<void> {
    await this.#next().obey({ what: 'drain', isWhole });
    if (await this.#raise()) await this.#next().obey({ what: 'drain', isWhole });
  }

  /** A dead program's place is taken by a new one, and time passes until its leases are over. */
  async #raise(): Promise<boolean> {
    const dead = this.#programs.flatMap(({ isDead }, place) => (isDead ? [place] : []));
    if (dead.length === 0) return false;
    this.counts.kills += dead.length;
    this.#hasDeaths = true;
    await Promise.all(
      dead.map(async place => {
        const [next] = await Promise.all([this.#spares.shift() ?? this.#start(), this.#programs[place]!.stop()]);
        this.#programs[place] = next;
      }),
    );
    // The next ones start while the histories go on.
    while (this.#spares.length < dead.length) this.#prepareSpare();
    await this.#advance(PAST_LEASES_SECONDS);
    return true;
  }

  async #advance(seconds: number): Promise<void> {
    this.#clock.aheadSeconds = await this.#database.advance(seconds);
    await Promise.all(this.#programs.map(program => program.obey({ what: 'refresh' })));
  }

  /** No fault strikes any more, the game is well, every callback arrives, and time passes until nothing more happens. */
  async #rest(studios: readonly Studio[]): Promise<void> {
    const { books, stripe, paypal, game } = this.#world;
    for (const bank of [books, stripe, paypal]) bank.calm();
    game.moods.clear();
    const environments = studios.map(({ game: { environmentId } }) => environmentId);
    // What was lost on the way is found when the day is compared, and no row has a date for that.
    const isLost = studios.some(({ orders }) => orders.some(({ isCallbackLost }) => isCallbackLost));
    for (const seconds of TO_REST) {
      await this.#sendAllCallbacks(studios);
      await this.#drain(isLost);
      if (!isLost && !(await isAnythingDated(this.#database.db, environments))) break;
      await this.#advance(seconds);
    }
    await this.#drain(isLost);
    for (let look = 0; look < LEDGER_LOOKS; look++) {
      await this.#next().obey({ what: 'roll up' });
      if (!(await isLedgerBehind(this.#database.db))) return;
      await pause(LEDGER_LOOK_MS);
    }
  }

  async #sendAllCallbacks(studios: readonly Studio[]): Promise<void> {
    const deps = this.#studioDeps();
    await Promise.all(
      studios.flatMap(({ bank, orders }) =>
        orders
          .filter(({ id }) => bank.hasCallbacks(id))
          .map(({ id }) => bank.sendCallbacks(id, deps, { times: 1, isReversed: false })),
      ),
    );
  }

  async #judge(studios: readonly Studio[], step: number | null): Promise<Finding[]> {
    const { db } = this.#database;
    const environments = studios.map(({ game }) => game.environmentId);
    const facts = await readFacts(db, environments);
    const found = await Promise.all(
      studios.map(async (studio, history) => {
        const wrong = await this.#judgeStudio(studio, facts, step === null);
        return wrong.map(violation => ({ history, step, ...violation }));
      }),
    );
    const unbalanced = step === null ? await listUnbalanced(db, environments) : [];
    const postings = unbalanced.map(
      (what): Finding => ({ history: 0, step, orderId: what, rule: 'postings sum to zero', what }),
    );
    return [...found.flat(), ...postings];
  }

  async #judgeStudio(
    studio: Studio,
    facts: ReadonlyMap<string, OrderFacts>,
    isRest: boolean,
  ): Promise<(Violation & { orderId: string })[]> {
    const wrong: (Violation & { orderId: string })[] = [];
    const add = (orderId: string, violation: Violation): void => void wrong.push({ orderId, ...violation });
    const orders = studio.orders.map(known => ({ known, order: facts.get(known.id) }));
    const isListing = isRest && orders.some(({ order }) => order?.payments.some(({ attention }) => attention));
    const lists = isListing ? await studio.listAttention() : null;
    if (isRest) for (const what of await studio.wrongAboutWebhooks()) add('', { rule: 'answers stay true', what });
    const isBack = (id: string): boolean =>
      ['refunded', 'rejected', 'charged_back'].includes(facts.get(id)?.status ?? '');
    if (isRest)
      for (const what of await studio.wrongAboutBulks(isBack))
        add('', { rule: 'a bulk action ends and counts right', what });
    for (const what of studio.surprises) add('', { rule: 'answers are expected', what });
    for (const { known, order } of orders) {
      if (!order) {
        add(known.id, { rule: 'answers are expected', what: 'created, and not there' });
        continue;
      }
      const page = isRest && isOwed({ order }) ? await studio.read(known) : null;
      const evidence = { ...this.#evidence(studio, known, order, lists), page };
      for (const violation of isRest ? judgeRest(evidence) : judgeStep(evidence)) add(known.id, violation);
      known.lastSeen = order.status;
      known.wasPaid ||= order.status === 'paid';
      if (order.status === 'authorized') known.authorizedAtSeconds ??= this.#clock.nowSeconds();
      known.wasRefunded ||= order.payments.some(({ status }) => status === 'refunded');
      known.answered = [];
      if (isRest) this.counts.ends.set(order.status, (this.counts.ends.get(order.status) ?? 0) + 1);
    }
    return wrong;
  }

  #evidence(
    { bank }: Studio,
    known: LabOrder,
    order: OrderFacts,
    lists: Awaited<ReturnType<Studio['listAttention']>>,
  ): Omit<Evidence, 'page'> {
    const { game } = this.#world;
    const inBoth = lists?.payments.filter(id => lists.shown.includes(id));
    return {
      order,
      known,
      charges: bank.ofOrder(known.id),
      contradictions: bank.contradictions(known.id),
      nowSeconds: this.#clock.nowSeconds(),
      held: game.held.has(known.id),
      granted: game.granted.has(known.id),
      asked: game.asked.get(known.id) ?? 0,
      askedBack: game.askedBack.get(known.id) ?? 0,
      complaints: [
        ...(game.complaints.get(known.id) ?? []),
        ...(this.#hasDeaths ? [] : (game.doubts.get(known.id) ?? [])),
      ],
      listed: lists && { order: lists.orders.includes(known.id), payments: new Set(inBoth) },
    };
  }

  async close(): Promise<void> {
    const all = [...this.#programs, ...(await Promise.all(this.#spares))];
    await Promise.all(all.map(program => program.stop()));
    await this.#world.close();
    await this.#database.drop();
    this.#restore();
  }
}
