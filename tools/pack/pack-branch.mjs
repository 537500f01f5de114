// Puts a packed folder on a branch of its own, because npm installs a branch of a repository and no subfolder of it:
//   npm run pack:all && npm run pack:branch            writes build/packages/sdk to the branch packages/sdk
//   git push origin packages/sdk                       then: npm install 'git+https://…/coinslot.git#packages/sdk'
// Neither the work tree nor the index is touched. A folder that did not change makes no commit.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({ options: { folder: { type: 'string' }, repository: { type: 'string' } } });
const FOLDER = resolve(values.folder ?? join(ROOT, 'build/packages/sdk'));
const REPOSITORY = resolve(values.repository ?? ROOT);
const { name, version } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
const BRANCH = `refs/heads/packages/${name.split('/').at(-1)}`;

const scratch = mkdtempSync(join(tmpdir(), 'coinslot-branch-'));
const env = { ...process.env, GIT_INDEX_FILE: join(scratch, 'index') };
const git = (...args) => execFileSync('git', args, { cwd: REPOSITORY, env, encoding: 'utf8' }).trim();

function tipOf(ref) {
  try {
    return git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  } catch {
    return null;
  }
}

try {
  git(`--work-tree=${FOLDER}`, 'add', '--all', '--force', FOLDER);
  const tree = git('write-tree');
  const parent = tipOf(BRANCH);
  if (parent && git('rev-parse', `${parent}^{tree}`) === tree)
    console.log(`${BRANCH} holds ${name} ${version} already.`);
  else {
    const commit = git('commit-tree', tree, ...(parent ? ['-p', parent] : []), '-m', `${name} ${version}`);
    git('update-ref', BRANCH, commit);
    console.log(`${name} ${version} is on ${BRANCH.replace('refs/heads/', '')}. Push that branch.`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
