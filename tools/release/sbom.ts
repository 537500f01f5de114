/** The software bill of materials: what the packages that are handed out are made of, in CycloneDX, by npm itself. */
import { execFileSync } from 'node:child_process';

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  licenses?: { license: { id: string } }[];
}

export interface Sbom {
  bomFormat: string;
  specVersion: string;
  serialNumber?: string;
  metadata: { timestamp?: string; component: Component };
  components: (Component & { version: string; purl: string })[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const ARGV = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
/** What an installation brings, on every platform. */
const INSTALLED = ['--package-lock-only', '--omit=dev', '--workspaces', '--include-workspace-root'];

/** Of packages whose description names none: as their own LICENSE file says. */
const IN_FILE: Readonly<Record<string, string>> = { 'mollie-api-typescript': 'BSD-2-Clause' };

function withLicense<One extends Component>(component: One): One {
  const id = IN_FILE[component.name];
  return id === undefined || component.licenses?.length ? component : { ...component, licenses: [{ license: { id } }] };
}

function ask(root: string, more: readonly string[]): Sbom {
  const options = { cwd: root, encoding: 'utf8' as const, maxBuffer: 64 * 1024 * 1024 };
  return JSON.parse(execFileSync('npm', [...ARGV, ...more], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })) as Sbom;
}

const union = <T>(keyOf: (one: T) => string, ...lists: T[][]): T[] => [
  ...new Map(lists.flat().map(one => [keyOf(one), one])).values(),
];

/**
 * Also with the packages that only build and test, which npm marks as such, because the dashboard's are built into its files.
 * Without the time and the random number that npm puts in, so that the same packages make the same bill.
 */
export function makeSbom(root: string, at: string): Sbom {
  const { serialNumber: _random, ...all } = ask(root, []);
  const installed = ask(root, INSTALLED);
  all.metadata.timestamp = at;
  // npm calls it by the name of the folder.
  all.metadata.component.name = 'coinslot';
  // The second list decides: what is installed is no development package, whatever else uses it.
  all.components = union(one => one['bom-ref'], all.components, installed.components).map(withLicense);
  all.dependencies = union(one => one.ref, installed.dependencies, all.dependencies);
  return all;
}
