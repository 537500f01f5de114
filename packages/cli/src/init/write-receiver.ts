import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../exit-codes.ts';
import { fileOf, TEMPLATE, type TemplateName } from './templates.ts';

const isEmpty = async (folder: string): Promise<boolean> =>
  readdir(folder).then(
    names => names.length === 0,
    () => true,
  );

/** Writes into a new or empty folder, so that nothing is overwritten. Returns the names of the files. */
export async function writeReceiver(folder: string, name: TemplateName): Promise<string[]> {
  if (!(await isEmpty(folder)))
    throw new UsageError(`${folder} is not empty.`, 'Name a new folder, so that nothing of yours is overwritten.');
  const { files, dependencies, start } = TEMPLATE[name];
  for (const [target, source] of Object.entries(files)) {
    await mkdir(dirname(join(folder, target)), { recursive: true });
    await copyFile(fileOf(source), join(folder, target));
  }
  if (!dependencies) return Object.keys(files);
  const manifest = {
    name:
      basename(folder)
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-') || 'receiver',
    private: true,
    type: 'module',
    scripts: { start },
    dependencies,
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(join(folder, '.gitignore'), 'node_modules/\n.next/\n.env\ngranted.jsonl\n');
  return [...Object.keys(files), 'package.json', '.gitignore'];
}
