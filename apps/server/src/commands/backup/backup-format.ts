/** Tells an operator what is wrong with a backup or with the place where it should go. */
export class BackupError extends Error {}

export const FORMAT = 'coinslot-backup';
/** Increases when older readers cannot read the format. */
export const FORMAT_VERSION = 1;

export interface AppliedMigration {
  number: number;
  name: string;
  hash: string;
}

export interface BackupHeader {
  format: typeof FORMAT;
  formatVersion: number;
  madeAt: string;
  programVersion: string;
  postgresVersion: string;
  migrations: AppliedMigration[];
  /** Names of the master keys that open its secrets, the current one first. No key is in a backup. */
  masterKeys: string[];
  /** Months that have a partition of their own. */
  partitions: { parent: string; prefix: string; month: string }[];
}

/** The line before the rows of a table. They end with a line that holds `\.` alone, which is no row of any table. */
export interface TableHeader {
  table: string;
  columns: string[];
}

export interface BackupTrailer {
  rows: Record<string, number>;
  sequences: { name: string; lastValue: string; isCalled: boolean }[];
  /** Covers every byte before this line. */
  sha256: string;
}

export const END_OF_ROWS = '\\.\n';

export const lineOf = (value: BackupHeader | TableHeader | BackupTrailer): Buffer =>
  Buffer.from(`${JSON.stringify(value)}\n`);

export function parseHeader(line: string): BackupHeader {
  const header = parseLine(line) as Partial<BackupHeader>;
  if (header.format !== FORMAT) throw new BackupError('This file is not a Coinslot backup.');
  if (header.formatVersion !== FORMAT_VERSION) {
    throw new BackupError(
      `The backup has format ${header.formatVersion}, and this version reads format ${FORMAT_VERSION}. Restore it with Coinslot ${header.programVersion}.`,
    );
  }
  return header as BackupHeader;
}

export function parseLine(line: string): object {
  try {
    return JSON.parse(line) as object;
  } catch {
    throw new BackupError('This file is not a Coinslot backup, or it is damaged.');
  }
}
