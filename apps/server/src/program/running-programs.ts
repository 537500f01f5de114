import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A running program announces this to commands that are started beside it. */
export interface RunningProgram {
  pid: number;
  publicUrl: string;
  /** Null when it uses a PostgreSQL that was named by DATABASE_URL. */
  dataDir: string | null;
}

interface Announced extends RunningProgram {
  /** When its process began, by the kernel's count; null where that cannot be asked. */
  began: string | null;
}

const START_TIME_FIELD = 19;

/** A process that was given the number of one that crashed began at another time. Only where there is `/proc`. */
async function beginningOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program stands in parentheses and may hold anything.
  return stat.slice(stat.lastIndexOf(') ') + 2).split(' ')[START_TIME_FIELD] ?? null;
}

/** Stands outside the data folder, because a command with another data folder has to find it. */
const folderFor = (): string => join(tmpdir(), `coinslot-running-${userInfo().uid}`);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

async function readProgram(file: string): Promise<RunningProgram | null> {
  try {
    const { began, ...program } = JSON.parse(await readFile(file, 'utf8')) as Announced;
    const isRunning = Number.isInteger(program.pid) && isAlive(program.pid);
    return isRunning && began === (await beginningOf(program.pid)) ? program : null;
  } catch {
    return null;
  }
}

/** Announces this process and returns a function that takes the announcement back. An unwritable folder is ignored. */
export async function announce(program: RunningProgram, folder = folderFor()): Promise<() => Promise<void>> {
  const file = join(folder, `${program.pid}.json`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const announced: Announced = { ...program, began: await beginningOf(program.pid) };
    await writeFile(file, JSON.stringify(announced), { mode: 0o600 });
  } catch {
    return async () => {};
  }
  return () => rm(file, { force: true });
}

/** Finds the programs of this user that run now. Files that a crash left behind do not count. */
export async function findRunningPrograms(folder = folderFor()): Promise<RunningProgram[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(names.map(name => readProgram(join(folder, name))));
  return found.filter(program => program !== null);
}

/** Warns an operator whose command is about to make a second database while a program runs on another one, or returns null. */
export function secondDatabase(running: readonly RunningProgram[], dataDir: string): string | null {
  const other = running.find(program => program.dataDir !== dataDir);
  if (!other || running.some(program => program.dataDir === dataDir)) return null;
  const how = other.dataDir === null ? 'with the DATABASE_URL it was given' : `with DATA_DIR=${other.dataDir}`;
  return `Note: Coinslot runs at ${other.publicUrl}, but this command makes a second database in ${dataDir}, which that
program does not use. To register there, run the command ${how}.`;
}
