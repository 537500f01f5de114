import { setFlagsFromString } from 'node:v8';

/**
 * On a machine with much memory V8 lets garbage pile up to as much again as is in use. Half of that costs no speed that could
 * be measured, and a studio may run this beside its game.
 */
export const keepHeapModest = (): void => setFlagsFromString('--heap-growing-percent=50');
