import type { AdviceTexts } from './en.ts';

export const de: AdviceTexts = {
  clock_off:
    'Die Uhr dieses Servers geht {seconds} Sekunden anders als die des Anbieters. Lassen Sie sie einem Zeitserver (NTP) folgen.',
};
