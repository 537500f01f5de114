import { resolve } from 'node:path';
import type { SettingName } from './config.ts';

/** Settings that a command beside the program needs as well, to work on the same shop; true for those that are secret. */
const SHARED = {
  DATA_DIR: false,
  DATABASE_URL: true,
  MASTER_KEY: true,
  PORT: false,
  PUBLIC_URL: false,
  NODE_ENV: false,
} as const satisfies Partial<Record<SettingName, boolean>>;

const shellWord = (text: string): string =>
  /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Which of them this start was given, as they are written before a command. A secret is shown as `…`. */
export function givenSettings(env: NodeJS.ProcessEnv): string {
  const words = Object.entries(SHARED).flatMap(([name, isSecret]) => {
    const text = env[name]?.trim();
    if (!text) return [];
    return `${name}=${isSecret ? '…' : shellWord(name === 'DATA_DIR' ? resolve(text) : text)} `;
  });
  return words.join('');
}
