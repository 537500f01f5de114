/** Everything that is handed out, made from one commit, with checksums and a note of where it comes from. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sectionOf } from './changelog.ts';
import { pythonVersion, versionOf } from './places.ts';
import { hashOf } from './released.ts';
import { makeSbom } from './sbom.ts';

export interface ArtifactOptions {
  root: string;
  /** Where they go; emptied first. */
  out: string;
  /** The address of the repository, which packages link to. */
  repository?: string | undefined;
}

export interface Artifact {
  file: string;
  sha256: string;
  bytes: number;
}

function run(cwd: string, command: string, args: string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

function npmPack(folder: string, out: string): void {
  run(folder, 'npm', ['pack', '--silent', '--pack-destination', out]);
}

function packNpm({ root, out, repository }: ArtifactOptions): void {
  const scratch = mkdtempSync(join(tmpdir(), 'coinslot-pack-'));
  try {
    const more = repository === undefined ? [] : ['--repository', repository];
    run(root, process.execPath, [join(root, 'tools/pack/pack.mjs'), '--out', scratch, ...more]);
    for (const name of readdirSync(scratch)) npmPack(join(scratch, name), out);
    // Unity's package manager takes the same form.
    const unity = join(scratch, 'unity');
    cpSync(join(root, 'engines/unity/com.coinslot.checkout'), unity, { recursive: true });
    cpSync(join(root, 'LICENSE'), join(unity, 'LICENSE.md'));
    npmPack(unity, out);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Built by the package itself, so that pip needs no network. */
function packPython({ root, out }: ArtifactOptions): void {
  const argv = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-index', '--disable-pip-version-check'];
  run(root, 'python3', [...argv, '--wheel-dir', out, join(root, 'packages/python')]);
}

interface Archive {
  name: string;
  extension: 'zip' | 'tar.gz';
  /** The folder that is the root of the archive. */
  folder: string;
  paths: string[];
}

const ARCHIVES: readonly Archive[] = [
  { name: 'coinslot-go', extension: 'tar.gz', folder: 'packages/go', paths: ['.'] },
  {
    name: 'coinslot-csharp',
    extension: 'zip',
    folder: 'packages/csharp',
    paths: [':(glob)*.cs', 'Coinslot.csproj', 'README.md', 'LICENSE'],
  },
  { name: 'coinslot-godot4', extension: 'zip', folder: 'engines/godot', paths: ['addons'] },
  { name: 'coinslot-godot3', extension: 'zip', folder: 'engines/godot3', paths: ['addons'] },
  { name: 'coinslot-unreal', extension: 'zip', folder: 'engines/unreal', paths: ['Coinslot'] },
];

/** Only what is committed goes in, each file with the time of the commit: the same commit makes the same bytes. */
function packArchive({ root, out }: ArtifactOptions, version: string, archive: Archive): void {
  const { name, extension, folder, paths } = archive;
  const date = run(root, 'git', ['log', '-1', '--format=%cI']).trim();
  const author = { GIT_AUTHOR_NAME: 'release', GIT_AUTHOR_EMAIL: '', GIT_AUTHOR_DATE: date };
  const committer = { GIT_COMMITTER_NAME: 'release', GIT_COMMITTER_EMAIL: '', GIT_COMMITTER_DATE: date };
  // A commit of its own that no branch has: an archive of a bare tree would bear the time of today.
  const argv = ['commit-tree', `HEAD:${folder}`, '-m', name];
  const commit = run(root, 'git', argv, { ...author, ...committer }).trim();
  const file = join(out, `${name}-${version}.${extension}`);
  const license = paths.some(path => path === '.' || path === 'LICENSE') ? [] : ['--add-file=LICENSE'];
  const prefix = extension === 'tar.gz' ? [`--prefix=${name}-${version}/`] : [];
  run(root, 'git', ['archive', ...prefix, ...license, `--format=${extension}`, `--output=${file}`, commit, ...paths]);
}

const list = (out: string): Artifact[] =>
  readdirSync(out)
    .toSorted()
    .map(file => ({ file, sha256: hashOf(readFileSync(join(out, file))), bytes: statSync(join(out, file)).size }));

/** In the form of SLSA, without a signature: it says what was made of what. Publishing from a CI that signs adds the proof. */
function provenanceOf(root: string, version: string, artifacts: readonly Artifact[]): object {
  const commit = run(root, 'git', ['rev-parse', 'HEAD']).trim();
  const lock = hashOf(readFileSync(join(root, 'package-lock.json')));
  const npm = run(root, 'npm', ['--version']).trim();
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artifacts.map(({ file, sha256 }) => ({ name: file, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release',
        externalParameters: { version },
        resolvedDependencies: [
          { uri: 'git+coinslot', digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: lock } },
        ],
      },
      runDetails: {
        builder: { id: 'tools/release/main.ts', version: { node: process.versions.node, npm } },
        metadata: { invocationId: `${version} of ${commit}` },
      },
    },
  };
}

const sumsOf = (artifacts: readonly Artifact[]): string =>
  artifacts.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join('');

/** The program must be built. Returns what is to be published; beside it lie notes, bill, provenance and checksums. */
export function makeArtifacts(options: ArtifactOptions): Artifact[] {
  const { root, out } = options;
  const version = versionOf(root);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  packNpm(options);
  packPython(options);
  for (const archive of ARCHIVES) packArchive(options, version, archive);
  const at = new Date(run(root, 'git', ['log', '-1', '--format=%cI']).trim()).toISOString();
  const write = (file: string, text: string): void => writeFileSync(join(out, file), text);
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const notes = sectionOf(changelog, version) ?? sectionOf(changelog, 'Unreleased') ?? '';
  write(`coinslot-${version}.cdx.json`, json(makeSbom(root, at)));
  write('NOTES.md', `# Coinslot ${version}\n\n${notes}\n`);
  const artifacts = list(out);
  write('provenance.intoto.json', json(provenanceOf(root, version, artifacts)));
  write('SHA256SUMS', sumsOf(list(out)));
  return artifacts;
}

/** What must be there, so that a package that was not made is noticed. */
export const expectedFiles = (version: string): string[] => [
  `coinslot-sdk-${version}.tgz`,
  `coinslot-exam-${version}.tgz`,
  `coinslot-cli-${version}.tgz`,
  `coinslot-server-${version}.tgz`,
  `com.coinslot.checkout-${version}.tgz`,
  `coinslot-${pythonVersion(version)}-py3-none-any.whl`,
  ...ARCHIVES.map(({ name, extension }) => `${name}-${version}.${extension}`),
  `coinslot-${version}.cdx.json`,
  'NOTES.md',
];
