import { escapeHtml } from '@coinslot/checkout-page';
import { type Endpoint, exampleBody } from '@coinslot/contract';

interface Group {
  properties: object;
  required?: readonly string[];
}

/** A browser cannot send a key with a WebSocket. */
export const hasConsole = ({ response }: Endpoint): boolean => response.status !== 101;

const ROWS = { least: 3, most: 20 };

function inputs(group: object | undefined, kind: 'param' | 'query' | 'header', without: string[] = []): string {
  const { properties, required = [] } = (group as Group | undefined) ?? { properties: {} };
  return Object.keys(properties)
    .filter(name => !without.includes(name))
    .map(name => {
      const isNeeded = required.includes(name);
      const note = isNeeded ? '' : ' <small>optional</small>';
      const attributes = `data-${kind}="${escapeHtml(name)}" autocomplete="off" spellcheck="false"${isNeeded ? ' required' : ''}`;
      return `<label>${escapeHtml(name)}${note}<input type="text" ${attributes}></label>`;
    })
    .join('');
}

function bodyInput(call: Endpoint): string {
  const body = exampleBody(call);
  if (body === null) return '';
  const text = JSON.stringify(body, null, 2);
  const rows = Math.min(ROWS.most, Math.max(ROWS.least, text.split('\n').length + 1));
  const note = call.bodyOptional ? ' <small>optional</small>' : '';
  return `<label>Body${note}<textarea data-body rows="${rows}" autocomplete="off" spellcheck="false">${escapeHtml(text)}</textarea></label>`;
}

const namesOf = (group: object | undefined): string[] => Object.keys((group as Group | undefined)?.properties ?? {});

/** A form that sends the call with the reader's sandbox key. Its fields have no names, so that no URL can carry them. */
export function renderConsole(call: Endpoint): string {
  return `<h2 id="try-it"><a href="#try-it">Try it</a></h2>
<p data-try-absent>The console needs JavaScript. Everything above works without it.</p>
<form class="try" data-method="${call.method}" data-path="${escapeHtml(call.path)}" autocomplete="off" novalidate hidden>
<p>Sends the call to this server with your sandbox key, which moves no real money. The key stays in this tab until you close it, and goes nowhere but into the header of the call. A live key is refused.</p>
<label>Sandbox key<input type="password" data-key autocomplete="off" spellcheck="false" placeholder="sk_sandbox_…" required></label>
${inputs(call.params, 'param')}${inputs(call.query, 'query', namesOf(call.params))}${inputs(call.headers, 'header')}${bodyInput(call)}
<div class="row"><button type="submit" class="send">Send</button><button type="button" class="copy" data-forget>Forget the key</button></div>
<p role="status" data-said></p>
<div data-answer hidden>
<div class="code"><div class="bar"><span>Headers</span></div><pre tabindex="0" aria-label="Headers of the answer"><code data-headers></code></pre></div>
<div class="code"><div class="bar"><span>Body</span></div><pre tabindex="0" aria-label="Body of the answer"><code data-text></code></pre></div>
</div>
</form>
`;
}
