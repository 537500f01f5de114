import { isCoinslotError, type Webhook } from '@coinslot/sdk';
import type { Command } from 'commander';
import { addBareCommand, type Context, connect, type Runner } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { isLiveKey, readSettings } from '../settings.ts';
import type { Io } from '../terminal/io.ts';
import { plain } from '../terminal/style.ts';
import { answerWord, watchDelivery } from '../watch-delivery.ts';

interface Finding {
  what: string;
  state: 'good' | 'bad' | 'warn';
  said: string;
  /** What to do, or null. */
  hint: string | null;
}

/** Receivers refuse older requests. */
const TOLERANCE_SECONDS = 300;
const NOTABLE_SECONDS = 30;

const good = (what: string, said: string): Finding => ({ what, state: 'good', said, hint: null });
const bad = (what: string, said: string, hint: string): Finding => ({ what, state: 'bad', said, hint });
const warn = (what: string, said: string, hint: string): Finding => ({ what, state: 'warn', said, hint });

function clockFinding(date: string | null): Finding {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs))
    return warn('clock', 'the server does not say its time', 'A proxy may remove the Date header.');
  const skewSeconds = Math.round(Math.abs(Date.now() - serverMs) / 1000);
  const said = `${skewSeconds} s off the server’s`;
  if (skewSeconds >= TOLERANCE_SECONDS)
    return bad('clock', said, 'Receivers on this computer refuse every webhook as too old. Turn on NTP.');
  return skewSeconds >= NOTABLE_SECONDS ? warn('clock', said, 'Turn on NTP before it grows.') : good('clock', said);
}

async function addressFindings(io: Io, url: string): Promise<Finding[]> {
  try {
    const answer = await io.fetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) });
    if (answer.ok) return [good('address', `${url} answers`), clockFinding(answer.headers.get('date'))];
    return [
      bad('address', `${url} answers ${answer.status}`, 'Is this a Coinslot server, or a proxy in front of one?'),
    ];
  } catch (error) {
    const why = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
    return [bad('address', `${url} cannot be reached (${why})`, 'Start it with `npm start`, or set COINSLOT_URL.')];
  }
}

async function keyFinding({ client, settings }: Context): Promise<Finding> {
  try {
    await client.request({ method: 'GET', path: '/s2s/v1/orders', query: { limit: 1 } });
    return good('key', `${isLiveKey(settings.key) ? 'live' : 'sandbox'}, from ${settings.keyFrom}`);
  } catch (error) {
    if (!isCoinslotError(error)) throw error;
    return bad('key', error.message, 'Copy it again from the dashboard under API keys, or run: coinslot login');
  }
}

const SIGNED_WITH = { s2s_key: 'the S2S key', dedicated: 'its own secret' } as const;

/** A signed test event shows both whether the receiver can be reached and whether it knows the secret. */
async function receiverFindings({ client }: Context, { id, url, secret_source }: Webhook): Promise<Finding[]> {
  const { id: deliveryId } = await client.webhooks.test(id);
  const delivery = await watchDelivery(client, deliveryId, 0);
  const said = plain(answerWord(delivery));
  if (delivery.last_status === null)
    return [bad('reachable', `${plain(url)}: ${said}`, `See: coinslot deliveries get ${deliveryId}`)];
  const reached = good('reachable', plain(url));
  if (delivery.status === 'succeeded')
    return [reached, good('signature', `accepted (${said}), signed with ${SIGNED_WITH[secret_source]}`)];
  const isSignature = delivery.last_status === 401 || delivery.last_status === 403;
  const hint = isSignature
    ? `The receiver must verify with ${SIGNED_WITH[secret_source]} of ${id}, over the raw bytes.`
    : `Answer webhook.test with 2xx. See: coinslot deliveries get ${deliveryId}`;
  return [reached, bad('signature', `the receiver answered ${said}`, hint)];
}

async function webhookFindings(context: Context): Promise<Finding[]> {
  const webhooks = await context.client.webhooks.list().take(100);
  const items = webhooks.find(({ events }) => events.includes('item.add') || events.some(kind => kind === 'item.*'));
  if (!items) {
    const hint = 'Run: coinslot webhooks add <url>, or for this computer: coinslot listen --forward-to <url>';
    return [bad('webhook', 'no webhook receives item.add, so no order can be granted', hint)];
  }
  if (!items.enabled) {
    const why = items.disabled_reason ?? 'It holds its events.';
    return [
      bad('webhook', `${items.id} is disabled. ${plain(why)}`, `Run: coinslot webhooks update ${items.id} --enable`),
    ];
  }
  return [good('webhook', items.id), ...(await receiverFindings(context, items))];
}

function printFindings({ output }: Pick<Context, 'output'>, findings: Finding[]): ExitCode {
  const isBad = findings.some(({ state }) => state === 'bad');
  if (output.isJson) output.json({ ok: !isBad, findings });
  else {
    const { style } = output;
    const marks = { good: style.green('✓'), warn: style.yellow('!'), bad: style.red('✗') };
    for (const { what, state, said, hint } of findings) {
      output.line(`${marks[state]} ${what.padEnd(10)} ${said}`);
      if (hint) output.line(`  ${''.padEnd(10)} ${hint}`);
    }
    if (!isBad) output.next('coinslot exam http://localhost:3000/webhook', 'Try your receiver as the world will');
  }
  return isBad ? EXIT.negative : EXIT.done;
}

export function addDoctor(program: Command, runner: Runner): void {
  addBareCommand(program, runner, {
    name: 'doctor',
    summary: 'find what keeps an integration from working: address, clock, key, webhook, signature',
    more: 'Sends one webhook.test event to your receiver; nothing is bought. Exits with 7 if something is wrong.',
    examples: [['coinslot doctor', 'from top to bottom, with what to do']],
    async run(bare, _args, options) {
      const { url } = await readSettings(bare.io, options);
      const findings = await bare.output.during('Looking', addressFindings(bare.io, url));
      if (findings.every(({ state }) => state !== 'bad')) {
        const context = await connect(bare, options, false);
        const key = await keyFinding(context);
        findings.push(key);
        if (key.state === 'good')
          findings.push(...(await bare.output.during('Asking your receiver', webhookFindings(context))));
      }
      return printFindings(bare, findings);
    },
  });
}
