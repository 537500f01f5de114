import { satisfies } from 'semver';

export interface Advisory {
  id: string;
  package: string;
  /** As npm writes ranges. */
  vulnerable: string;
  severity: string;
  title: string;
}

/** What is known of published advisories, as of its date; of the packages in the lock file only. */
export interface AdvisoryFile {
  date: string;
  source: string;
  advisories: Advisory[];
}

/** An older list says little about what is known today. */
export const MAX_AGE_DAYS = 30;
const DAY_MS = 86_400_000;

/** How many days old the list is on that day. */
export const ageOf = ({ date }: Pick<AdvisoryFile, 'date'>, today: string): number =>
  Math.floor((Date.parse(today) - Date.parse(date)) / DAY_MS);

export interface LockFile {
  packages: Record<string, { version?: string; link?: boolean; name?: string }>;
}

export interface Installed {
  name: string;
  version: string;
  path: string;
}

export type Hit = Installed & { advisory: Advisory };

const FOLDER = 'node_modules/';

/** Every package that is downloaded, each place of it. */
export const installedIn = ({ packages }: LockFile): Installed[] =>
  Object.entries(packages).flatMap(([path, { version, link, name }]) => {
    const at = path.lastIndexOf(FOLDER);
    if (at < 0 || link || version === undefined) return [];
    return [{ name: name ?? path.slice(at + FOLDER.length), version, path }];
  });

/** As `Map.groupBy`, which Node 20 does not have. */
function groupBy<T>(items: readonly T[], keyOfItem: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOfItem(item), [...(groups.get(keyOfItem(item)) ?? []), item]);
  return groups;
}

export function hitsOf(lock: LockFile, { advisories }: AdvisoryFile): Hit[] {
  const byPackage = groupBy(advisories, advisory => advisory.package);
  return installedIn(lock).flatMap(installed =>
    (byPackage.get(installed.name) ?? [])
      .filter(({ vulnerable }) => satisfies(installed.version, vulnerable, { includePrerelease: true }))
      .map(advisory => ({ ...installed, advisory })),
  );
}

/** One answer of GitHub's list of advisories, as far as it is used. */
interface Published {
  ghsa_id: string;
  summary: string;
  severity: string;
  withdrawn_at: string | null;
  vulnerabilities: { package: { ecosystem: string; name: string }; vulnerable_version_range: string | null }[];
}

const PACKAGES_A_CALL = 50;
const PAGE = 100;

const nextPage = (link: string | null): string | null => /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1] ?? null;

async function listAdvisories(apiBase: string, names: readonly string[]): Promise<Published[]> {
  const query = new URLSearchParams({ ecosystem: 'npm', per_page: String(PAGE), affects: names.join(',') });
  const found: Published[] = [];
  for (let url: string | null = `${apiBase}/advisories?${query}`; url !== null; ) {
    const answer: Response = await fetch(url, { headers: { accept: 'application/vnd.github+json' } });
    if (!answer.ok) throw new Error(`${new URL(url).host} answered ${answer.status}`);
    found.push(...((await answer.json()) as Published[]));
    url = nextPage(answer.headers.get('link'));
  }
  return found;
}

/** Its ranges separate bounds by commas, npm's by spaces; several ranges of one package are alternatives. */
function advisoriesFrom(published: Published, names: ReadonlySet<string>): Advisory[] {
  if (published.withdrawn_at !== null) return [];
  const own = published.vulnerabilities.filter(
    ({ package: { ecosystem, name }, vulnerable_version_range: range }) =>
      ecosystem === 'npm' && names.has(name) && range !== null,
  );
  return [...groupBy(own, ({ package: { name } }) => name)].map(([name, entries]) => ({
    id: published.ghsa_id,
    package: name,
    vulnerable: entries.map(entry => entry.vulnerable_version_range!.replaceAll(',', '')).join(' || '),
    severity: published.severity,
    title: published.summary,
  }));
}

const keyOf = ({ package: name, id }: Advisory): string => `${name} ${id}`;

/** Asks for everything that was published about the packages of the lock file. */
export async function refresh(apiBase: string, lock: LockFile, date: string): Promise<AdvisoryFile> {
  const names = [...new Set(installedIn(lock).map(({ name }) => name))].toSorted();
  const found = new Map<string, Advisory>();
  for (let at = 0; at < names.length; at += PACKAGES_A_CALL) {
    const some = names.slice(at, at + PACKAGES_A_CALL);
    const published = await listAdvisories(apiBase, some);
    for (const advisory of published.flatMap(entry => advisoriesFrom(entry, new Set(some))))
      found.set(keyOf(advisory), advisory);
  }
  const advisories = [...found.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { date, source: 'The GitHub Advisory Database', advisories };
}
