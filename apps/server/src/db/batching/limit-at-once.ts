/** Runs at most `max` at a time; the others wait their turn. What is run must not reject. */
export function limitAtOnce(max: number): (run: () => Promise<void>) => Promise<void> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async run => {
    if (running >= max) await new Promise<void>(resolve => waiting.push(resolve));
    else running++;
    await run();
    const next = waiting.shift();
    // The place is handed on, so that a newcomer cannot take it in between.
    if (next) next();
    else running--;
  };
}
