/** The changelog by version. Each begins with what an operator asks first. */

/** The parts that every version has, in this order. */
export const PARTS = ['Needs', 'May roll back to', 'Changes for game developers'] as const;

export type Part = (typeof PARTS)[number];

const HEADING = '## [Unreleased]';

const TEMPLATE = `${HEADING}

### Needs

### May roll back to

### Changes for game developers

### Added
`;

/** The text of one version, without its heading; undefined if there is none. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const at = changelog.indexOf(`## [${version}]`);
  if (at < 0) return undefined;
  const from = changelog.indexOf('\n', at) + 1;
  const end = changelog.indexOf('\n## ', from);
  return changelog.slice(from, end < 0 ? undefined : end + 1).trim();
}

/** The text of one part of a version. */
export function partOf(section: string, part: string): string {
  const [, rest = ''] = `\n${section}`.split(`\n### ${part}\n`);
  return rest.split('\n### ')[0]!.trim();
}

/** What the part for the next version lacks. */
export function lacksOf(changelog: string): string[] {
  const section = sectionOf(changelog, 'Unreleased');
  if (section === undefined) return [`CHANGELOG.md has no "${HEADING}".`];
  const empty = PARTS.filter(part => partOf(section, part) === '');
  const lacks = empty.map(part => `CHANGELOG.md says nothing under "### ${part}" of what is not released yet.`);
  const others = section.split(/^### /m).slice(1);
  const hasChange = others.some(text => !PARTS.some(part => text.startsWith(`${part}\n`)) && text.includes('\n- '));
  return hasChange ? lacks : [...lacks, 'CHANGELOG.md names no change that is not released yet.'];
}

/** Gives what is not released yet its version and day, and opens an empty part for what comes. */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  const at = changelog.indexOf(HEADING);
  if (at < 0) throw new Error(`CHANGELOG.md has no "${HEADING}".`);
  return `${changelog.slice(0, at)}${TEMPLATE}\n## [${version}] - ${date}${changelog.slice(at + HEADING.length)}`;
}
