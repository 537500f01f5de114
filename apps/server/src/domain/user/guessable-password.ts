/**
 * What lists of leaked passwords are made of. Written as words and patterns instead of lines: guessing programs build their
 * tries the same way, a word with digits behind it, letters swapped for signs, a walk over the keyboard; so a few hundred
 * words stand for some hundred thousand lines, and the next year is on the list before it has begun.
 */
const WORDS: ReadonlySet<string> = new Set(
  `password passwort passwd pass contrasena contraseña motdepasse senha haslo parola wachtwoord passphrase secret secrets
   geheim letmein letmeinnow welcome willkommen bienvenue bienvenido changeme changemenow changeit default temp temporary
   test tester testing testtest guest user username login logon admin administrator adminadmin root toor superuser sysadmin
   master manager owner boss chief hello hallo hola bonjour ciao goodbye goodmorning thankyou please whatever nothing
   something anything everything qwerty qwertz azerty asdf asdfgh zxcvbn qazwsx iloveyou iloveu loveyou loveme lovely lover
   love forever always mylove truelove sweetheart honey babygirl babyboy baby angel angels princess prince queen king
   kingdom sunshine sunflower sunday monday tuesday wednesday thursday friday saturday january february march april may june
   july august september october november december spring summer autumn winter fall season holiday christmas easter
   halloween birthday dragon dragons monkey tiger tigers lion lions eagle eagles panther bear bears wolf wolves shark dolphin
   dolphins horse horses dog doggy puppy kitty kitten cat cats rabbit bunny butterfly spider snake phoenix falcon hawk raven
   chicken penguin panda football soccer baseball basketball hockey tennis golf rugby cricket volleyball swimming running
   skateboard snowboard surfing fishing hunting racing ferrari porsche mercedes corvette mustang camaro toyota honda
   yamaha kawasaki suzuki harley liverpool arsenal chelsea manchester barcelona realmadrid juventus bayern dortmund yankees
   lakers cowboys steelers packers redsox superman batman spiderman ironman wonderwoman captain hulk thor avengers starwars
   startrek skywalker yoda vader matrix gandalf hobbit frodo hogwarts harrypotter hermione pokemon pikachu charizard mario
   luigi zelda sonic minecraft fortnite roblox warcraft starcraft diablo counterstrike callofduty halo gamer gaming player
   game games gamedev gamedeveloper gamestudio studio indiegame unity unreal godot developer development programmer
   computer internet network server database website webmaster windows microsoft google facebook instagram twitter youtube
   amazon apple iphone android samsung nokia motorola linux ubuntu debian oracle cisco coinslot checkout payment payments
   stripe paypal money dollar euro bitcoin crypto casino poker jackpot lucky winner champion victory freedom liberty
   america american canada england london paris berlin munich madrid rome moscow russia ukraine poland france germany
   deutschland italy spain brazil mexico argentina india china japan tokyo australia newyork california texas florida
   chicago boston jordan michael jessica jennifer ashley amanda daniel david joshua andrew matthew robert thomas william
   richard charles christopher nicholas anthony joseph james john george edward patrick kevin brian justin brandon tyler
   jason ryan eric adam alexander alexandra alex samantha elizabeth katherine stephanie nicole melissa michelle heather
   rachel lauren hannah emily sarah laura maria anna olivia sophia charlotte charlie maggie molly lucy daisy bella max buddy
   rocky bailey shadow ginger pepper cookie cookies chocolate vanilla strawberry banana orange cherry apple1 peaches
   coffee cheese pizza burger bacon butter sugar candy whiskey vodka tequila budweiser guinness guitar piano drummer music
   metallica nirvana slipknot eminem beatles rockstar hiphop dancer dancing disney mickey minnie tinkerbell nemo simpsons
   homer bart scooby snoopy garfield purple yellow green black white silver golden diamond crystal blue red rainbow heaven
   jesus christ jesuschrist church blessed faith hope grace prayer family mother father mommy daddy sister brother friend
   friends bestfriend together happy smile beautiful gorgeous pretty handsome sexy cool awesome amazing fantastic
   perfect magic mystery ninja samurai warrior soldier hunter ranger killer assassin zombie vampire devil demon satan ghost
   monster legend hero power energy thunder lightning storm hurricane tornado blizzard fire flame ocean river mountain
   forest flower flowers rose garden earth moon star stars galaxy universe cosmos planet rocket space trustno trustnoi trustnoone
   access security secure private public system company business office letter number letters numbers abcdef abcabc blahblah
   foobar unbelievable correcthorsebatterystaple opensesame abracadabra supercalifragilistic mypassword mypass newpassword
   oldpassword thepassword nopassword yourpassword password1a`.split(/\s+/),
);

/** Along the rows and columns of keyboards, and plain counting. */
const WALKS = [
  '01234567890',
  '12345678910',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '!@#$%^&*()',
];
const BOTH_WAYS = WALKS.flatMap(walk => [walk, Array.from(walk).toReversed().join('')]);

const SIGNS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '1': 'i',
  '!': 'i',
};
const SHORTEST_RUN = 3;
/** As many digits and signs around a word as people add without thinking. */
const DECORATION_CHARS = 8;

/** How far a walk goes on from here. */
function runAt(text: string, start: number): number {
  let longest = 1;
  while (start + longest < text.length && text[start + longest] === text[start]) longest++;
  for (const walk of BOTH_WAYS) {
    for (let from = walk.indexOf(text[start]!); from >= 0; from = walk.indexOf(text[start]!, from + 1)) {
      let length = 1;
      while (start + length < text.length && text[start + length] === walk[from + length]) length++;
      longest = Math.max(longest, length);
    }
  }
  return longest;
}

function isWalk(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const run = runAt(text, at);
    if (run < SHORTEST_RUN) return false;
    at += run;
  }
  return true;
}

const unsign = (text: string): string => Array.from(text, char => SIGNS[char] ?? char).join('');

const isTwice = (text: string): boolean => /^(.+)\1+$/u.test(text);

function isWord(letters: string): boolean {
  if (WORDS.has(letters)) return true;
  if (isTwice(letters)) return isWord(/^(.+?)\1+$/u.exec(letters)![1]!);
  // Two words beside each other, such as adminpassword.
  for (let at = 3; at <= letters.length - 3; at++) {
    if (WORDS.has(letters.slice(0, at)) && WORDS.has(letters.slice(at))) return true;
  }
  return false;
}

/** Without what people put before and behind a word. */
function stem(text: string): string {
  const [, before = '', middle = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/u.exec(text) ?? [];
  return before.length + after.length <= DECORATION_CHARS ? middle : text;
}

/** Of a password in lower case. */
export function isGuessable(lowered: string): boolean {
  const plain = lowered.replaceAll(/[\s._-]/g, '');
  const letters = [stem(plain), unsign(stem(plain)), stem(unsign(plain))];
  return isWalk(plain) || letters.some(isWord) || isWord(stem(plain).replace(/\d+$/, ''));
}
