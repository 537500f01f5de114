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

/** Reads JSON and XML as the example receiver in C# does, so that a mistake in the receiver itself still fails its test. */
const MONO_PROBE = `class Probe {
  static void Main() {
    var json = System.Runtime.Serialization.Json.JsonReaderWriterFactory.CreateJsonReader(
      new byte[] { 49 }, System.Xml.XmlDictionaryReaderQuotas.Max);
    new System.Xml.Linq.XElement(json.Read() ? "a" : "b");
  }
}`;
/** What a receiver in C# is compiled with. */
export const MONO_LIBRARIES = '-r:System.Runtime.Serialization.dll,System.Xml.Linq.dll';

/**
 * Mono with the libraries that the packages and receivers in C# use, not its whole library.
 * The compiler alone is not enough: Debian has each library in a package of its own.
 */
export const MONO: Needed = {
  probe: [
    'sh',
    '-c',
    `folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && printf %s "$1" > "$folder/Probe.cs" &&
     mcs ${MONO_LIBRARIES},System.Xml.dll,System.Web.dll -out:"$folder/Probe.exe" "$folder/Probe.cs" && mono "$folder/Probe.exe"`,
    'probe',
    MONO_PROBE,
  ],
  packages: [
    'mono-mcs',
    'mono-runtime',
    'libmono-system-web4.0-cil',
    'libmono-system-runtime-serialization4.0-cil',
    'libmono-system-xml-linq4.0-cil',
  ],
};
