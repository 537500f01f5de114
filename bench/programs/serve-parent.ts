/** A program of the bench answers its parent, one message for one message, and ends with it. */
export function serveParent(answer: (message: never) => unknown): void {
  const send = (message: unknown): void => void process.send?.(message);
  process.on('message', (message: unknown) => {
    Promise.resolve()
      .then(() => answer(message as never))
      .then(
        value => send({ value }),
        (error: unknown) => send({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
  });
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole group; the parent ends us in its own order.
  process.on('SIGINT', () => {});
  send({ value: 'ready' });
}

/** The same for all processes of one machine, unlike the wall clock of each. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
