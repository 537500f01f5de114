import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const BEAT_MS = 1_000;
// A holder shows that it lives every second; a pid alone would not do, as a restarted container gives the same ones again.
const DEAD_AFTER_MS = 15_000;
const POLL_MS = 100;

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryTake(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

const ownerOf = file => Number(readFileSync(file, 'utf8'));

const isAbandoned = file => {
  const ageMs = Date.now() - statSync(file).mtimeMs;
  const owner = ownerOf(file);
  // An empty file is one whose owner is about to write its pid.
  return ageMs > DEAD_AFTER_MS || (owner > 0 && !isAlive(owner));
};

/** Moves an abandoned lock away; gives it back if another process took it between the look and the move. */
function clear(file) {
  try {
    if (!isAbandoned(file)) return;
    const aside = `${file}.${process.pid}`;
    renameSync(file, aside);
    if (!isAbandoned(aside)) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
}

/** One process at a time does the work; the others wait. */
export async function withLock(file, work) {
  while (!tryTake(file)) {
    clear(file);
    await pause(POLL_MS);
  }
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), BEAT_MS);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}
