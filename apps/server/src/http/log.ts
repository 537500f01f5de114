import { type DestinationStream, type Logger, pino } from 'pino';

/** Never in a log, however deep a caller puts them. */
const SECRETS = [
  'authorization',
  'cookie',
  'secret',
  'password',
  'token',
  's2s_key',
  'key',
  'card',
  'number',
  'cvv',
  'cvc',
];

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: SECRETS.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
