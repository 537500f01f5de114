/** A word that is refused in code and in prose, and what to write in its place. */
export interface Refused {
  word: RegExp;
  instead: string;
}

const refuse = (instead: string, ...words: string[]): Refused => ({
  word: new RegExp(`(?:${words.join('|')})`, 'gi'),
  instead,
});

/** As a part of a name or of a file name too: attendAt, attend_at, attend-payment. */
const inName = (instead: string, ...words: string[]): Refused => ({
  word: new RegExp(`(?<![A-Za-z])(?:${words.join('|')})(?![a-z])`, 'g'),
  instead,
});

const BRITISH: Refused[] = [
  refuse('-or', '(?:behavi|col|fav|hon|neighb|lab|hum|rum|harb|vap)our(?!ier)'),
  refuse('fulfill', 'fulfil(?!l)'),
  refuse('catalog', 'catalogue'),
  refuse('one l', '(?:cance|labe|trave|mode|signa|tota|leve)ll(?:ed|ing|er|able)'),
  refuse(
    '-ize',
    '(?:author|organ|recogn|serial|normal|initial|summar|minim|maxim|custom|priorit|synchron|token|local|util|apolog|sanit|memor|standard|categor|visual|capital|penal|stabil|item|final|general|special|real|optim|emphas)is(?:e[sdr]?|ing|ation|ations)\\b',
  ),
  refuse('-yze', 'analys(?:ed|er|ing)\\b'),
  refuse('-nse', '\\b(?:licence|defence|offence|pretence)s?\\b'),
  refuse('-er', '\\b(?:centre|metre|theatre)s?\\b'),
  refuse('gray', '\\bgrey'),
  refuse('judgment', 'judgement'),
  refuse('while', '\\bwhilst\\b'),
  refuse('among', '\\bamongst\\b'),
  refuse('check', '\\bcheques?\\b'),
  refuse('program', '\\bprogrammes?\\b'),
  refuse('artifact', 'artefact'),
  refuse('learned, spelled', '\\b(?:learnt|spelt|burnt)\\b'),
];

const WITHOUT_ACTOR: Refused[] = [
  refuse(
    'the actor: worker, caller, receiver, player, studio member, operator, provider, bank',
    '\\b(?:whoever|whomever|nobody|somebody|anybody|everybody)\\b',
  ),
];

const FORMER: Refused[] = [
  inName('Purchase', 'Story', 'story'),
  inName('next_check_at, checkPayment', 'attend(?:ed)?', 'Attend(?:ed)?', 'ATTEND'),
  inName('capture', '[Cc]ollect(?:s|ed|ing)?'),
  inName('sync-payment', 'hear-provider', 'hearProvider'),
  inName('resolve-review', 'settle-held', 'settleHeld'),
  inName('expire-held-grants', 'give-up-held', 'giveUpHeld'),
  inName('abandon-payment', 'give-up-payment', 'giveUpPayment'),
  inName('void_or_refund', 'give_back', 'giveBack'),
  inName('revoke-items', 'take-back', 'takeBack'),
  inName('emit, emitOrderEvent, paymentChanged', 'tellOrder', 'TellOrder', 'paymentTold', 'payment-told'),
  inName('requestSaveMethod, saveMethod', 'wishToKeep', 'wish_to_keep', 'keepMethod', 'keep-method'),
  inName('catalogUpdates, upserted_items', 'lessonsOf', 'taught_items', 'taught_players'),
  inName('batchRows, Waiter', 'gather', 'Asker'),
  inName('notifier', 'waiting-room', 'waitingRoom', 'WaitingRoom'),
  inName('single-flight', 'share-pending', 'sharePending'),
  inName('semaphore', 'take-turns', 'takeTurns'),
  inName('ttl-cache', 'fresh-cache', 'freshCache', 'FreshCache'),
  inName('sqlUnprepared', 'sqlPlannedAnew'),
  inName('indexScan', 'walkStatement', 'walk_settings', 'mostWalked', 'WalkOptions'),
  inName('roll-up', 'fold-\\w+', 'fold_\\w+', 'fold[A-Z]\\w*'),
  inName('MailContent', 'Letter', 'letter (?:json|->>)'),
  inName('routes, define-route', 'mount-dashboard', 'dashboard-mount'),
  inName('stripe-context, AccountClient', 'stripe-desk', 'StripeDesk', 'Desk'),
  inName('SETTINGS_ACCOUNT', 'ENVIRONMENT_ACCOUNT'),
  inName('canceled_by_refund', 'called_off', 'calledOff'),
  inName('declineOf', 'noOf'),
  inName('usesProviderDate, recheckAfter', 'takes_?[dD]ate'),
  inName('orderQueue', 'line_?[hH]eads', 'LineHeads'),
  inName('writeAudit, listAudit', 'writeDeed', 'listDeeds', 'Deeds?'),
];

const SCREENS: Refused[] = [
  refuse('Checkout', 'at the till\\b'),
  refuse('No country limit', 'empty: nowhere'),
  refuse('Purchase complete', 'it is yours'),
  refuse('Audit log', 'what people changed'),
  refuse('your original payment method', 'the way you paid'),
  refuse('accepts evidence', '\\bhears? evidence\\b'),
];

export const REFUSED: Refused[] = [...BRITISH, ...WITHOUT_ACTOR, ...FORMER, ...SCREENS];

/** Words that belong to others: names in their interfaces, texts in other languages, input that is meant to be odd. */
export const ALLOWED: { path: RegExp; word: RegExp; because: string }[] = [
  { path: /^tools\/tidy\//, word: /./, because: 'the table itself, and lists of what is not renamed yet' },
  {
    path: /\/texts\/(?:src\/\w+\/)?(?!en\b)[a-z]{2}(?:-[a-z]+)?\.(?:ts|json)$/,
    word: /./,
    because: 'another language',
  },
  { path: /naughty-strings/, word: /./, because: 'odd input' },
  { path: /./, word: /aria-labelledby|aria-labelled/, because: 'an attribute of HTML' },
  { path: /^bench\//, word: /q: 'nobody'/, because: 'a search that finds no player' },
  {
    path: /\/paypal|\/leave-for-provider/,
    word: /FAVOUR|CANCELLED|UNAUTHORISED/,
    because: 'words of PayPal’s interface',
  },
  { path: /./, word: /MonoBehaviour/, because: 'a class of Unity' },
  { path: /\/texts\/texts\.test\.ts$/, word: /./, because: 'the table of words that no screen shows' },
  { path: /\/db\/embedded\/account\.ts$/, word: /'nobody'/, because: 'a user of Unix' },
  { path: /./, word: /_per_gather/, because: 'a setting of PostgreSQL' },
  { path: /\/telemetry\//, word: /\bcollect(?:\(\)|Defa)/, because: 'methods of prom-client' },
];

/** A link that is called after its file says nothing of its own: the file is judged where it stands. */
const LINK_TO_FILE = /\[[\w-]+\]\(\.[^)\s]*\)/g;

export function wordsRefused(path: string, text: string): string[] {
  const found: string[] = [];
  const prose = path.endsWith('.md') ? text.replace(LINK_TO_FILE, '') : text;
  for (const [i, line] of [path, ...prose.split('\n')].entries()) {
    for (const { word, instead } of REFUSED) {
      for (const match of line.matchAll(word)) {
        const around = line.slice(Math.max(0, match.index - 8), match.index + match[0].length + 4);
        if (ALLOWED.some(allowed => allowed.path.test(path) && allowed.word.test(around))) continue;
        found.push(`${path}${i === 0 ? '' : `:${i}`}: ${match[0]} (${instead})`);
      }
    }
  }
  return found;
}
