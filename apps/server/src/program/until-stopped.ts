const HURRY_MS = 25_000;

/** Resolves at the first Ctrl-C or SIGTERM. A second one ends the process at once, and so does a shutdown that takes too long. */
export function untilStopped(say: (text: string) => void, delaySeconds = 0, isMember = false): Promise<void> {
  return new Promise(resolve => {
    let asked = false;
    const stop = (signal: string): void => {
      if (asked) process.exit(130);
      asked = true;
      say(`${signal}: finishing what is in flight …`);
      setTimeout(() => process.exit(1), HURRY_MS + delaySeconds * 1000).unref();
      resolve();
    };
    // Ctrl-C reaches all processes of a terminal. A member waits for SIGTERM from its supervisor.
    process.on('SIGINT', () => isMember || stop('SIGINT'));
    process.on('SIGTERM', () => stop('SIGTERM'));
  });
}
