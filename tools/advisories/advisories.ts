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

/** What the package registry says of one advisory, by the name of its package. */
interface Registered {
  url: string;
  title: string;
  severity: string;
  vulnerable_versions: string;
}

const idIn = (url: string): string => /GHSA(?:-[0-9a-z]{4}){3}/i.exec(url)?.[0] ?? url;

/** By the call that `npm audit` makes. Null where there is no such call, as at a mirror that only reads. */
async function askRegistry(registry: string, lock: LockFile): Promise<Advisory[] | null> {
  const versions: Record<string, string[]> = {};
  for (const { name, version } of installedIn(lock))
    versions[name] = [...new Set([...(versions[name] ?? []), version])];
  const answer = await fetch(new URL('-/npm/v1/security/advisories/bulk', registry), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(versions),
  }).catch(() => null);
  if (!answer?.ok) return null;
  const said = (await answer.json()) as Record<string, Registered[]>;
  return Object.entries(said).flatMap(([name, list]) =>
    list.map(({ url, title, severity, vulnerable_versions: vulnerable }) => ({
      id: idIn(url),
      package: name,
      vulnerable,
      severity,
      title,
    })),
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

async function askGitHub(apiBase: string, lock: LockFile): Promise<Advisory[]> {
  const names = [...new Set(installedIn(lock).map(({ name }) => name))].toSorted();
  const found: Advisory[] = [];
  for (let at = 0; at < names.length; at += PACKAGES_A_CALL) {
    const some = names.slice(at, at + PACKAGES_A_CALL);
    const published = await listAdvisories(apiBase, some);
    found.push(...published.flatMap(entry => advisoriesFrom(entry, new Set(some))));
  }
  return found;
}

/** `fetch` says only that it failed; what failed is its cause. */
const reasonOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);

/**
 * Asks for what was published about the packages of the lock file: all of it at GitHub, and what concerns the installed versions at
 * the package registry. One of the two is enough; both are asked, as either may know first.
 */
export async function refresh(
  { api, registry }: { api: string; registry: string },
  lock: LockFile,
  known: AdvisoryFile,
  date: string,
): Promise<AdvisoryFile> {
  const [registered, published] = await Promise.all([
    askRegistry(registry, lock),
    askGitHub(api, lock).catch((error: unknown) => error as Error),
  ]);
  const isPublished = Array.isArray(published);
  if (registered === null && !isPublished)
    throw new Error(`neither the package registry nor GitHub answered (${reasonOf(published)})`, { cause: published });
  // The registry names the installed versions' alone, so what was known of others stays.
  const found = [...(isPublished ? published : known.advisories), ...(registered ?? [])];
  const advisories = [...new Map(found.map(one => [keyOf(one), one])).values()].toSorted((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
  const sources = [
    ...(isPublished ? ['the GitHub Advisory Database'] : []),
    ...(registered ? ['the package registry'] : []),
  ];
  return { date, source: sources.join(' and '), advisories };
}
