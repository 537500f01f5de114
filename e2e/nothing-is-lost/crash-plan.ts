/** Where the program kills itself: the `passing`-th time it reaches the point. */
export interface CrashPlan {
  point: string;
  passing: number;
  /** SIGSTOP: it stands still instead, with everything it holds. */
  signal?: 'SIGKILL' | 'SIGSTOP';
}

/** What the program tells the test. */
export type Report = { passed: string } | { port: number };
