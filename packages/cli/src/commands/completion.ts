import type { Command } from 'commander';
import { addBareCommand, type Runner } from '../command.ts';
import { oneOf } from '../read-options.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What can follow a command: its subcommands, or else its options. */
interface Branch {
  /** Empty for the program itself, then ` orders`, ` orders create`. */
  path: string;
  words: { word: string; about: string }[];
}

function branchesOf(command: Command, path = ''): Branch[] {
  const words = command.commands.map(one => ({ word: one.name(), about: one.summary() }));
  const options = command.options
    .filter(({ long }) => long !== undefined && long !== null)
    .map(({ long, description }) => ({ word: long!, about: description }));
  const own = { path, words: [...words, ...options, { word: '--help', about: 'show help' }] };
  return [own, ...command.commands.flatMap(one => branchesOf(one, `${path} ${one.name()}`))];
}

const cases = (branches: Branch[]): string =>
  branches
    .map(({ path, words }) => `      "${path}") words="${words.map(({ word }) => word).join(' ')}" ;;`)
    .join('\n');

/**
 * Ids and addresses can stand between commands and options, so an unknown path is tried again without its last word.
 */
const bash = (branches: Branch[]): string => `_coinslot() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="$path $word" ;; esac
  done
  while :; do
    case "$path" in
${cases(branches)}
    esac
    if [ -n "$words" ] || [ -z "$path" ]; then break; fi
    path="\${path% *}"
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _coinslot coinslot
`;

const zsh = (branches: Branch[]): string => `#compdef coinslot
autoload -U +X bashcompinit && bashcompinit
${bash(branches)}`;

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fish(branches: Branch[]): string {
  const lines = branches.flatMap(({ path, words }) => {
    const seen = path.trim().split(' ').filter(Boolean);
    const condition =
      seen.length === 0
        ? '__fish_use_subcommand'
        : seen.map(one => `__fish_seen_subcommand_from ${one}`).join('; and ');
    return words.map(({ word, about }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c coinslot -n ${quoted(condition)} ${what} -d ${quoted(about)}`;
    });
  });
  return `complete -c coinslot -f\n${lines.join('\n')}\n`;
}

const SCRIPTS: Record<Shell, (branches: Branch[]) => string> = { bash, zsh, fish };

export function addCompletion(program: Command, runner: Runner): void {
  addBareCommand(program, runner, {
    name: 'completion <shell>',
    summary: 'print the completion script of bash, zsh or fish',
    examples: [
      ['source <(coinslot completion bash)', 'in ~/.bashrc'],
      ['coinslot completion zsh > ~/.zfunc/_coinslot', 'with ~/.zfunc in your fpath; then open a new shell'],
      ['coinslot completion fish > ~/.config/fish/completions/coinslot.fish', 'then open a new shell'],
    ],
    async run({ io }, args) {
      const shell = oneOf('The shell', SHELLS)(args[0] ?? '');
      io.out(SCRIPTS[shell](branchesOf(program)));
    },
  });
}
