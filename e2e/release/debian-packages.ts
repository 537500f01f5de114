/** What a release test needs of Debian: installed when the tests run as root there, else named as missing. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const LONGEST_MS = 300_000;

export interface Needed {
  /** Succeeds where everything is there, such as `['go', 'version']`. */
  probe: [string, ...string[]];
  packages: string[];
}

async function isHere([program, ...args]: Needed['probe']): Promise<boolean> {
  return exec(program, args, { timeout: 60_000 }).then(
    () => true,
    () => false,
  );
}

async function install(packages: string[]): Promise<void> {
  const options = ['-o', 'DPkg::Lock::Timeout=240', '--yes', '--no-install-recommends'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await exec('apt-get', ['install', ...options, ...packages], {
    env,
    timeout: LONGEST_MS,
    maxBuffer: 16 * 1024 * 1024,
  });
}

/** Null when it is there or could be installed, else why the tests that need it are left out. */
export async function missing({ probe, packages }: Needed): Promise<string | null> {
  if (await isHere(probe)) return null;
  if (process.getuid?.() !== 0) return `${packages.join(' ')} (not installed, and only root may install)`;
  await install(packages).catch(() => undefined);
  return (await isHere(probe)) ? null : `${packages.join(' ')} (apt-get could not install)`;
}
