import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface GuidePage {
  /** Files by the path that their first line names. */
  files: Map<string, string>;
  /** The only block of a language. */
  block(language: string): string;
  /** Commands in the order of the page, by the section that they stand under. */
  commands(section: string): string[];
  /** The value of a setting, as it is given there. */
  setting(name: string): string;
}

/** What a reader of a guide would save and type. */
export function readGuidePage(name: string): GuidePage {
  const text = readFileSync(fileURLToPath(new URL(`../docs/guides/${name}`, import.meta.url)), 'utf8');
  const files = new Map<string, string>();
  for (const [, path = '', content = ''] of text.matchAll(/^```ini\n# (\/\S+)\n(.*?)^```$/gms))
    files.set(path, content);
  return {
    files,
    block(language) {
      const found = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
      if (found.length !== 1) throw new Error(`${name} has ${found.length} blocks of ${language}, and one was meant.`);
      return found[0]![1]!;
    },
    commands(section) {
      const [, body] = new RegExp(`^## ${section}$(.*?)(?=^## |(?![\\s\\S]))`, 'ms').exec(text) ?? [];
      if (body === undefined) throw new Error(`${name} has no section ${JSON.stringify(section)}.`);
      return [...body.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, lines = '']) => lines.trim().split('\n'));
    },
    setting(setting) {
      const [, value] = new RegExp(`^${setting}=(.+)$`, 'm').exec(text) ?? [];
      if (value === undefined) throw new Error(`${name} gives no ${setting}.`);
      return value;
    },
  };
}
