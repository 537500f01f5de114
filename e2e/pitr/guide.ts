import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const GUIDE = fileURLToPath(new URL('../../docs/guides/point-in-time.md', import.meta.url));

export interface Guide {
  /** Files by the path that their first line names. */
  files: Map<string, string>;
  /** Commands in the order of the page, by the section that they stand under. */
  commands(section: string): string[];
}

/** What a reader of the page would save and type. */
export function readGuide(): Guide {
  const text = readFileSync(GUIDE, 'utf8');
  const files = new Map<string, string>();
  for (const [, path = '', content = ''] of text.matchAll(/^```ini\n# (\/\S+)\n(.*?)^```$/gms))
    files.set(path, content);
  return {
    files,
    commands(section) {
      const [, body] = new RegExp(`^## ${section}$(.*?)(?=^## |(?![\\s\\S]))`, 'ms').exec(text) ?? [];
      if (body === undefined) throw new Error(`The guide has no section ${JSON.stringify(section)}.`);
      return [...body.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, lines = '']) => lines.trim().split('\n'));
    },
  };
}
