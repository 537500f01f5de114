import type { Command } from 'commander';
import { addBareCommand, type Runner } from '../command.ts';
import { oneOf, wordsOf } from '../read-options.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What can follow a command: its subcommands, or else its options. */
interface Branch {
  /** Empty for the program itself, then ` orders`, ` orders create`. */
  path: string;
  words: { word: string; about: string }[];
}

/** What can follow an option that takes one of a list. */
interface Values {
  path: string;
  option: string;
  words: readonly string[];
}

function branchesOf(command: Command, path = ''): Branch[] {
  const words = command.commands.map(one => ({ word: one.name(), about: one.summary() }));
  const options = command.options
    .filter(({ long }) => long !== undefined && long !== null)
    .map(({ long, description }) => ({ word: long!, about: description }));
  const values = (command.registeredArguments[0]?.argChoices ?? []).map(word => ({ word, about: '' }));
  const own = { path, words: [...words, ...values, ...options, { word: '--help', about: 'show help' }] };
  return [own, ...command.commands.flatMap(one => branchesOf(one, `${path} ${one.name()}`))];
}

function valuesOf(command: Command, path = ''): Values[] {
  const own = command.options.flatMap(({ long, parseArg }) => {
    const words = wordsOf(parseArg);
    return long && words.length > 0 ? [{ path, option: long, words }] : [];
  });
  return [...own, ...command.commands.flatMap(one => valuesOf(one, `${path} ${one.name()}`))];
}

const valueCases = (values: Values[]): string =>
  values.map(({ path, option, words }) => `      "${path} ${option}") words="${words.join(' ')}" ;;`).join('\n');

const cases = (branches: Branch[]): string =>
  branches
    .map(({ path, words }) => `      "${path}") words="${words.map(({ word }) => word).join(' ')}" ;;`)
    .join('\n');

/**
 * Ids and addresses can stand between commands and options, so an unknown path is tried again without its last word.
 */
const bash = (branches: Branch[], values: Values[]): string => `_coinslot() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word option="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="$path $word" ;; esac
  done
  # A wildcard such as order.* is a word here, and no pattern of files.
  local noglob=$-
  set -f
  while :; do
    case "$path $option" in
${valueCases(values)}
    esac
    if [ -n "$words" ]; then break; fi
    case "$path" in
${cases(branches)}
    esac
    if [ -n "$words" ] || [ -z "$path" ]; then break; fi
    path="\${path% *}"
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$noglob" in *f*) ;; *) set +f ;; esac
}
complete -o default -F _coinslot coinslot
`;

const zsh = (branches: Branch[], values: Values[]): string => `#compdef coinslot
autoload -U +X bashcompinit && bashcompinit
${bash(branches, values)}`;

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const conditionOf = (path: string): string => {
  const seen = path.trim().split(' ').filter(Boolean);
  if (seen.length === 0) return '__fish_use_subcommand';
  return seen.map(one => `__fish_seen_subcommand_from ${one}`).join('; and ');
};

function fish(branches: Branch[], values: Values[]): string {
  const lines = branches.flatMap(({ path, words }) => {
    return words.map(({ word, about }) => {
      const found = values.find(one => one.path === path && one.option === word);
      const choices = found ? ` -x -a ${quoted(found.words.join(' '))}` : '';
      const what = word.startsWith('--') ? `-l ${word.slice(2)}${choices}` : `-a ${word}`;
      return `complete -c coinslot -n ${quoted(conditionOf(path))} ${what} -d ${quoted(about)}`;
    });
  });
  return `complete -c coinslot -f\n${lines.join('\n')}\n`;
}

const SCRIPTS: Record<Shell, (branches: Branch[], values: Values[]) => string> = { bash, zsh, fish };

export function addCompletion(program: Command, runner: Runner): void {
  addBareCommand(program, runner, {
    name: 'completion <shell>',
    values: SHELLS,
    summary: 'print the completion script of bash, zsh or fish',
    examples: [
      ['source <(coinslot completion bash)', 'in ~/.bashrc'],
      ['coinslot completion zsh > ~/.zfunc/_coinslot', 'with ~/.zfunc in your fpath; then open a new shell'],
      ['coinslot completion fish > ~/.config/fish/completions/coinslot.fish', 'then open a new shell'],
    ],
    async run({ io }, args) {
      const shell = oneOf('The shell', SHELLS)(args[0] ?? '');
      io.out(SCRIPTS[shell](branchesOf(program), valuesOf(program)));
    },
  });
}
