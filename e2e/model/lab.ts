import { databaseOn, type TestDatabase } from '../../apps/server/src/testing/database.ts';
import type { BuiltProgram } from '../nothing-is-lost/program-process.ts';
import { isAnythingDated, listUnbalanced, type OrderFacts, readFacts } from './facts.ts';
import { gapOf } from './not-yet.ts';
import { openWorld, type World } from './outside.ts';
import type { Defect } from './planted.ts';
import { buildLabProgram, type LabProgram, startHere, startMortal } from './programs.ts';
import { type Evidence, judgeRest, judgeStep, type Violation } from './rules.ts';
import type { History, Step } from './steps.ts';
import { type LabOrder, Studio } from './studio.ts';

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
  gaps: Map<string, number>;
  /** How orders ended: a lab that reaches little proves little. */
  ends: Map<string, number>;
}

export interface LabOptions {
  serverUrl: string;
  defect?: Defect | null;
  /** Programs in processes of their own, so that they can be killed. */
  mortal: boolean;
}

const PROGRAMS = 2;
const OPEN_AT_ONCE = 8;
const PAST_LEASES_SECONDS = 61;
/** From leases over retries to the end of every patience. */
const TO_REST = [61, 600, 4_000, 20_000, 90_000, 90_000, 400_000];

/** Histories share the clock. Few of them move it, else no order would live long enough to be paid. */
const CLOCK_KEEPERS = 3;

export const jumpOf = (steps: readonly (Step | undefined)[]): number =>
  Math.max(0, ...steps.slice(0, CLOCK_KEEPERS).map(step => (step?.do === 'later' ? step.seconds : 0)));

/** Two programs on one database, and the world around them, for as many histories as wanted. */
export class Lab {
  readonly counts: Counts = { histories: 0, steps: 0, kills: 0, gaps: new Map(), ends: new Map() };
  readonly #database: TestDatabase;
  readonly #world: World;
  readonly #built: BuiltProgram | null;
  readonly #defect: Defect | null;
  readonly #programs: LabProgram[] = [];
  #turn = 0;

  private constructor(database: TestDatabase, world: World, built: BuiltProgram | null, defect: Defect | null) {
    this.#database = database;
    this.#world = world;
    this.#built = built;
    this.#defect = defect;
  }

  static async open({ serverUrl, defect = null, mortal }: LabOptions): Promise<Lab> {
    const [database, world, built] = await Promise.all([
      databaseOn(serverUrl),
      openWorld(),
      mortal ? buildLabProgram() : null,
    ]);
    const lab = new Lab(database, world, built, defect);
    for (let place = 0; place < PROGRAMS; place++) lab.#programs.push(await lab.#start());
    return lab;
  }

  #start(): Promise<LabProgram> {
    const options = { databaseUrl: this.#database.url, world: this.#world, defect: this.#defect };
    return this.#built ? startMortal(this.#built, options) : startHere(options);
  }

  /** The next program that lives. */
  #next(): LabProgram {
    const living = this.#programs.filter(({ isDead }) => !isDead);
    const from = living.length > 0 ? living : this.#programs;
    return from[this.#turn++ % from.length]!;
  }

  /** Plays the histories side by side, step by step, each in an environment of its own. */
  async play(histories: readonly History[]): Promise<Finding[]> {
    const studios = histories.map(() => new Studio(this.#studioDeps()));
    // A few at a time: the lab's own connections are few.
    for (let from = 0; from < studios.length; from += OPEN_AT_ONCE) {
      const some = studios.slice(from, from + OPEN_AT_ONCE);
      await Promise.all(some.map((studio, i) => studio.open(histories[from + i]!.orders)));
    }
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
    this.counts.histories += histories.length;
    this.counts.steps += histories.reduce((sum, { steps }) => sum + steps.length, 0);
    this.#world.books.forget(new Set(studios.flatMap(({ orders }) => orders.map(({ id }) => id))));
    return findings;
  }

  #studioDeps() {
    return {
      database: this.#database,
      world: this.#world,
      url: () => this.#next().url,
      hear: (order: LabOrder) => this.#hear(order.id),
    };
  }

  async #hear(orderId: string): Promise<void> {
    for (const charge of this.#world.books.ofOrder(orderId)) {
      const { environmentId, paymentId } = charge;
      if (await this.#next().obey({ what: 'hear', ref: { environmentId, paymentId } }))
        this.#world.books.news.delete(charge);
    }
  }

  async #playRound(studios: readonly Studio[], steps: readonly (Step | undefined)[]): Promise<void> {
    for (const step of steps) {
      if (step?.do !== 'kill' || !this.#built) continue;
      await this.#programs[step.program]!.obey({ what: 'die', afterStatements: step.afterStatements });
    }
    const seconds = jumpOf(steps);
    if (seconds > 0) await this.#advance(seconds);
    await Promise.all([
      ...studios.map((studio, i) => (steps[i] ? studio.take(steps[i]) : undefined)),
      ...this.#programs.map(program => program.obey({ what: 'drain' })),
    ]);
    await this.#drain();
  }

  /** One of them is enough where nothing else happens meanwhile. */
  async #drain(): Promise<void> {
    await this.#next().obey({ what: 'drain' });
    await this.#raise();
  }

  /** A dead program's place is taken by a new one, and time passes until its leases are over. */
  async #raise(): Promise<void> {
    const dead = this.#programs.flatMap(({ isDead }, place) => (isDead ? [place] : []));
    if (dead.length === 0) return;
    this.counts.kills += dead.length;
    await Promise.all(
      dead.map(async place => {
        this.#programs[place] = await this.#start();
      }),
    );
    await this.#advance(PAST_LEASES_SECONDS);
  }

  async #advance(seconds: number): Promise<void> {
    await this.#database.advance(seconds);
    await Promise.all(this.#programs.map(program => program.obey({ what: 'refresh' })));
  }

  /** No fault strikes any more, the game is well, every callback arrives, and time passes until nothing more happens. */
  async #rest(studios: readonly Studio[]): Promise<void> {
    const { books, game } = this.#world;
    books.faults.splice(0);
    game.moods.clear();
    const environments = studios.map(({ environmentId }) => environmentId);
    for (const seconds of TO_REST) {
      for (const { orderId } of books.news) await this.#hear(orderId);
      await this.#drain();
      if (!(await isAnythingDated(this.#database.db, environments))) break;
      await this.#advance(seconds);
    }
    await this.#drain();
  }

  async #judge(studios: readonly Studio[], step: number | null): Promise<Finding[]> {
    const { db } = this.#database;
    const environments = studios.map(({ environmentId }) => environmentId);
    const facts = await readFacts(db, environments);
    const findings: Finding[] = [];
    for (const [history, studio] of studios.entries()) {
      const add = (orderId: string, violation: Violation): void =>
        void findings.push({ history, step, orderId, ...violation });
      for (const what of studio.surprises) add('', { rule: 'answers are expected', what });
      for (const told of studio.orders) {
        const order = facts.get(told.id);
        if (!order) {
          add(told.id, { rule: 'answers are expected', what: 'created, and not there' });
          continue;
        }
        const evidence = await this.#evidence(studio, told, order, step === null);
        const wrong = step === null ? judgeRest(evidence) : judgeStep(evidence);
        for (const violation of wrong) {
          const gap = gapOf(evidence, violation);
          if (gap) this.counts.gaps.set(gap.why, (this.counts.gaps.get(gap.why) ?? 0) + 1);
          else add(told.id, violation);
        }
        told.lastSeen = order.status;
        if (step === null) this.counts.ends.set(order.status, (this.counts.ends.get(order.status) ?? 0) + 1);
      }
    }
    if (step === null) {
      for (const posting of await listUnbalanced(db, environments))
        findings.push({ history: 0, step, orderId: posting, rule: 'postings sum to zero', what: posting });
    }
    return findings;
  }

  async #evidence(studio: Studio, told: LabOrder, order: OrderFacts, atRest: boolean): Promise<Evidence> {
    const { books, game } = this.#world;
    const read = atRest ? await studio.call('GET', `/s2s/v1/orders/${told.id}`) : null;
    const attention = read?.body.attention as { code: string } | null | undefined;
    const listed = attention ? await studio.call('GET', '/s2s/v1/orders?attention=true&limit=100') : null;
    const data = listed?.status === 200 ? (listed.body.data as { order_id: string }[]) : undefined;
    return {
      order,
      told,
      charges: books.ofOrder(told.id),
      held: game.held.has(told.id),
      granted: game.granted.has(told.id),
      complaints: game.complaints.get(told.id) ?? [],
      attention: attention ? attention.code : attention,
      isListed: data?.some(({ order_id }) => order_id === told.id),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map(program => program.stop()));
    await this.#world.close();
    await this.#database.drop();
    await this.#built?.remove();
  }
}
