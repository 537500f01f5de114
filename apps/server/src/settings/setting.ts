/** Values of other settings, for parsers and defaults that depend on them. */
export interface Others {
  isProduction: boolean;
  port: number;
  publicUrl: string;
  processes: number;
  isEmbedded: boolean;
}

interface About<T> {
  /** The documentation shows it where the default is computed or needs an explanation. */
  default?: string;
  meaning: string;
  /** Without it, the default is the example. */
  example?: string;
  /** The value of a secret is never printed. */
  isSecret?: boolean;
  /** Returns why production refuses this value, or false. */
  refusedInProduction?(value: T): string | false | undefined;
}

export interface Setting<T> extends Required<About<T>> {
  name: string;
  parse: (text: string, others: Others) => T;
  defaultOf: (others: Others) => T;
}

type Plain = string | number | boolean | string[] | undefined;

function shownDefault(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'none';
}

export function setting<T, Default extends Plain>(
  name: string,
  parse: (text: string, others: Others) => T,
  fallback: Default | ((others: Others) => Default),
  about: About<T | Default>,
): Setting<T | Default> {
  const shown = about.default ?? shownDefault(fallback);
  return {
    name,
    parse,
    defaultOf: typeof fallback === 'function' ? fallback : () => fallback,
    example: shown,
    isSecret: false,
    refusedInProduction: () => false,
    ...about,
    default: shown,
  };
}

export const inProduction =
  <const T extends Plain>(value: T, elsewhere: T) =>
  ({ isProduction }: Others): T =>
    isProduction ? value : elsewhere;

export const mustBeHttps = (url: string | undefined): string | false =>
  url !== undefined && !url.startsWith('https://') && 'must be https in production';
