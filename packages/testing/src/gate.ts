export interface Gate {
  /** Resolves when the gate opens. */
  readonly opened: Promise<void>;
  open(): void;
}

/** Holds something up until the test says go. */
export function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
}
