import { setTimeout as pause } from 'node:timers/promises';
import type { CrashPlan } from './crash-plan.ts';
import { type BuiltProgram, type ProgramProcess, startProcess } from './program-process.ts';

const LOOK_AGAIN_MS = 15;

/** Some programs on one database. Each place holds one that lives, or is about to be filled again. */
export class Fleet {
  /** Points that any of them reached. */
  readonly points = new Set<string>();
  readonly #program: BuiltProgram;
  readonly #databaseUrl: string;
  readonly #places: ProgramProcess[] = [];
  readonly #all: ProgramProcess[] = [];
  #turn = 0;

  constructor(program: BuiltProgram, databaseUrl: string) {
    this.#program = program;
    this.#databaseUrl = databaseUrl;
  }

  /** Starts a program in a place whose program has ended. */
  start(place: number, plan: CrashPlan | null = null): ProgramProcess {
    const started = startProcess(this.#program, { databaseUrl: this.#databaseUrl, plan });
    this.#places[place] = started;
    this.#all.push(started);
    return started;
  }

  /** One that listens, in turn. Waits while all are down. */
  async url(): Promise<string> {
    for (;;) {
      const urls = this.#places.flatMap(({ url }) => url ?? []);
      const url = urls[this.#turn++ % Math.max(1, urls.length)];
      if (url) return url;
      await pause(LOOK_AGAIN_MS);
    }
  }

  at(place: number): ProgramProcess {
    return this.#places[place]!;
  }

  async kill(place: number): Promise<void> {
    const running = this.#places[place]!;
    running.signal('SIGKILL');
    await running.ended;
    for (const point of running.passed) this.points.add(point);
  }

  /** Lines that the programs wrote about errors, without those about dying neighbors. */
  errors(): string[] {
    return this.#all.flatMap(process => process.log().split('\n')).filter(line => line.trim() !== '');
  }

  async close(): Promise<void> {
    for (const process of this.#all) process.signal('SIGKILL');
    await Promise.all(this.#all.map(({ ended }) => ended));
  }
}
