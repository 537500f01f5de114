/** What a person opens: what changed first, the kept sheet beside the one of this run, then every state. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { FOLDER, type State } from './camera.ts';
import { changedCells, drawSheet, fontsOf } from './sheets.ts';

const KEPT = fileURLToPath(new URL('./kept/', import.meta.url));

interface Folders {
  /** Where the report is written. */
  shown: string;
  /** What was kept, in the repository. */
  kept: string;
}

const madeWith = ({ kept }: Folders): string => join(kept, 'made-with.json');

interface Machine {
  browser: string;
  fonts: string;
}

export interface Compared {
  state: State;
  /** Labels of the pictures that are not as they were, or null where none was kept. */
  changed: string[] | null;
}

export interface Report {
  compared: Compared[];
  /** Why every picture may look different although nothing was changed. */
  machine: string | null;
}

const pathOf = ({ subject, name }: State): string => `${subject}/${name}.webp`;

function write(path: string, content: Buffer | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function machineNote(now: Machine, file: string): string | null {
  if (!existsSync(file)) return null;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Machine;
  const others = [
    kept.browser !== now.browser && `the browser is ${now.browser}, and was ${kept.browser}`,
    kept.fonts !== now.fonts && 'its fonts are others',
  ].filter(Boolean);
  return others.length === 0
    ? null
    : `This machine is not the one that the kept pictures are from: ${others.join('; ')}. Differences may come from that alone.`;
}

/** Compares with what the repository keeps, and writes `build/gallery/index.html`. With `keep`, this run is kept from now on. */
export async function report(
  page: Page,
  states: readonly State[],
  keep: boolean,
  folders: Folders = { shown: FOLDER, kept: KEPT },
): Promise<Report> {
  const machine = { browser: page.context().browser()?.version() ?? '', fonts: await fontsOf(page) };
  const note = machineNote(machine, madeWith(folders));
  const compared: Compared[] = [];
  const sheets = new Map<State, Buffer>();
  for (const state of states) {
    const sheet = await drawSheet(page, state);
    sheets.set(state, sheet);
    write(join(folders.shown, 'now', pathOf(state)), sheet);
    const kept = join(folders.kept, pathOf(state));
    if (!existsSync(kept)) {
      compared.push({ state, changed: null });
      continue;
    }
    const before = readFileSync(kept);
    write(join(folders.shown, 'kept', pathOf(state)), before);
    compared.push({ state, changed: await changedCells(page, state, before, sheet) });
  }
  write(join(folders.shown, 'index.html'), indexPage({ compared, machine: note }));
  if (keep) {
    rmSync(folders.kept, { recursive: true, force: true });
    for (const { state } of compared) write(join(folders.kept, pathOf(state)), sheets.get(state)!);
    write(madeWith(folders), `${JSON.stringify(machine, null, 2)}\n`);
  }
  return { compared, machine: note };
}

const picture = (from: 'kept' | 'now', state: State): string =>
  `<figure><a href="${from}/${pathOf(state)}"><img loading="lazy" src="${from}/${pathOf(state)}" alt="${pathOf(state)}, ${from}"></a><figcaption>${from}</figcaption></figure>`;

const links = ({ shots }: State, labels: readonly string[]): string =>
  shots
    .filter(({ label }) => labels.includes(label))
    .map(({ file, label }) => `<a href="pictures/${file}">${label}</a>`)
    .join(' ');

const titleOf = ({ subject, name }: State): string => `${subject}: ${name}`;

const STYLE = `body{font:16px/1.5 system-ui;margin:24px;color:#10131a}h2{margin-top:48px}section{margin:24px 0}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:16px}.all{display:grid;grid-template-columns:repeat(auto-fill,minmax(420px,1fr));gap:24px}
figure{margin:0}img{max-width:100%;border:1px solid #ccc}figcaption{font-size:12px}a{margin-inline-end:8px}.note{background:#fff3cd;padding:12px}`;

function indexPage({ compared, machine }: Report): string {
  const changed = compared.filter(one => one.changed !== null && one.changed.length > 0);
  const added = compared.filter(one => one.changed === null);
  const count = compared.reduce((sum, { state }) => sum + state.shots.length, 0);
  const pairs = changed.map(
    ({ state, changed: labels }) =>
      `<section><h3>${titleOf(state)}</h3><p>Changed: ${links(state, labels ?? [])}</p><div class="pair">${picture('kept', state)}${picture('now', state)}</div></section>`,
  );
  const all = compared.map(
    ({ state }) =>
      `<section><h3>${titleOf(state)}</h3>${picture('now', state)}<p>${links(
        state,
        state.shots.map(({ label }) => label),
      )}</p></section>`,
  );
  const addedText = added.length === 0 ? '' : `<p>New: ${added.map(({ state }) => titleOf(state)).join(', ')}</p>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>${STYLE}</style>
<h1>${compared.length} states in ${count} pictures, ${changed.length} changed</h1>
${machine === null ? '' : `<p class="note">${machine}</p>`}${addedText}${pairs.join('')}
<h2>Every state</h2><div class="all">${all.join('')}</div></html>`;
}
