interface Random {
  randomUUID(): string;
}

/** Node 18 has WebCrypto, but not as a global. The name is a variable, so that bundlers do not resolve it. */
export async function webCrypto(): Promise<{ subtle: SubtleCrypto } & Random> {
  if (globalThis.crypto?.subtle) return globalThis.crypto;
  const name = 'node:crypto';
  const { webcrypto } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as { webcrypto: Crypto };
  return webcrypto;
}
