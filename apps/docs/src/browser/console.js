const KEPT = 'docs-try-it';
// Longer than any call of the API takes.
const PATIENCE_MS = 45000;

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}
function keep(more) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ ...kept(), ...more }));
  } catch {}
}

function keyProblem(key) {
  if (/^sk_live_/i.test(key))
    return 'That is a live key. This console takes sandbox keys only; it was neither sent nor kept.';
  return /^sk_sandbox_[\w-]+$/.test(key) ? null : 'A sandbox key is needed. It begins with sk_sandbox_.';
}

// What a later call asks for, from an answer: the ids in it, and in the first entry of a list.
function idsIn(answer) {
  const found = {};
  const look = (value, depth) => {
    if (typeof value !== 'object' || value === null || depth > 3) return;
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === 'object') look(Array.isArray(one) ? one[0] : one, depth + 1);
      else if (/^(order|payment|webhook|delivery|player)_id$|^sku$/.test(name) && typeof one === 'string')
        found[name] ??= one;
      else if (name === 'id' && String(one).startsWith('whk_')) found.webhook_id ??= one;
      else if (name === 'id' && String(one).startsWith('dlv_')) found.delivery_id ??= one;
    }
  };
  look(answer, 0);
  return found;
}

function callOf(form) {
  const empty = [...form.querySelectorAll('[data-param]')].find(input => input.value.trim() === '');
  if (empty) return { problem: `Fill in ${empty.dataset.param}.`, at: empty };
  const query = new URLSearchParams();
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = form.querySelector(`[data-param="${name}"]`).value.trim();
    if (!/^\.\.?$/.test(value)) return encodeURIComponent(value);
    // No path can carry dots alone, so they go into the query.
    query.set(name, value);
    return '_';
  });
  for (const input of form.querySelectorAll('[data-query]'))
    if (input.value !== '') query.set(input.dataset.query, input.value);
  const headers = {};
  for (const input of form.querySelectorAll('[data-header]'))
    if (input.value !== '') headers[input.dataset.header] = input.value;
  const area = form.querySelector('[data-body]');
  const body = area?.value.trim() ?? '';
  if (body !== '') {
    try {
      JSON.parse(body);
    } catch (error) {
      return { problem: `The body is not JSON: ${error.message}`, at: area };
    }
    headers['content-type'] = 'application/json';
  }
  const search = query.toString();
  return { target: path + (search === '' ? '' : `?${search}`), headers, ...(body !== '' && { body }) };
}

const pretty = text => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

async function sendCall(form, key, { target, headers, body }) {
  const answer = await fetch(target, {
    method: form.dataset.method,
    headers: { ...headers, authorization: `Bearer ${key}` },
    ...(body !== undefined && { body }),
    // The key alone says who asks: a session of the dashboard stays out of it.
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return { answer, text: await answer.text() };
}

function show(form, { answer, text }) {
  form.querySelector('[data-said]').textContent = `${answer.status} ${answer.statusText}`.trim();
  form.querySelector('[data-headers]').textContent = [...answer.headers]
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  form.querySelector('[data-text]').textContent = text === '' ? '(empty)' : pretty(text);
  form.querySelector('[data-answer]').hidden = false;
  if (!answer.ok) return;
  try {
    keep({ ids: { ...kept().ids, ...idsIn(JSON.parse(text)) } });
  } catch {}
}

/** Sends the call of the page with the reader's sandbox key. */
export function tryIt() {
  const form = document.querySelector('form.try');
  if (!form) return;
  const keyInput = form.querySelector('[data-key]');
  const said = form.querySelector('[data-said]');
  const sendButton = form.querySelector('.send');
  form.hidden = false;
  document.querySelector('[data-try-absent]').hidden = true;
  const { key = '', ids = {} } = kept();
  keyInput.value = key;
  for (const input of form.querySelectorAll('[data-param]')) input.value = ids[input.dataset.param] ?? '';
  const refuse = (problem, at) => {
    form.querySelector('[data-answer]').hidden = true;
    said.textContent = problem;
    at.focus();
  };
  const checkKey = () => {
    const problem = keyProblem(keyInput.value.trim());
    if (problem && /^sk_live_/i.test(keyInput.value.trim())) keyInput.value = '';
    return problem;
  };
  keyInput.addEventListener('input', () => {
    if (/^\s*sk_live_/i.test(keyInput.value)) refuse(checkKey(), keyInput);
  });
  form.querySelector('[data-forget]').addEventListener('click', () => {
    keyInput.value = '';
    try {
      sessionStorage.removeItem(KEPT);
    } catch {}
    refuse('The key is forgotten.', keyInput);
  });
  const submit = async () => {
    const problem = checkKey();
    if (problem) return refuse(problem, keyInput);
    const call = callOf(form);
    if (call.problem) return refuse(call.problem, call.at);
    keep({ key: keyInput.value.trim() });
    sendButton.disabled = true;
    said.textContent = 'Sending …';
    try {
      show(form, await sendCall(form, keyInput.value.trim(), call));
    } catch (error) {
      refuse(`No answer: ${error.message}`, sendButton);
    } finally {
      sendButton.disabled = false;
    }
  };
  form.addEventListener('submit', event => {
    event.preventDefault();
    void submit();
  });
}
