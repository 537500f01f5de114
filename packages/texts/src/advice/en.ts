export const en = {
  clock_off: 'The clock of this server is {seconds} seconds off the provider’s. Let it follow a time server (NTP).',
} as const;

export type AdviceTexts = Readonly<Record<keyof typeof en, string>>;
