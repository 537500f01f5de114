/** A browser, by the standard that it speaks itself. */
export interface Engine {
  name: 'Chromium' | 'Firefox' | 'WebKit';
  open(url: string): Promise<void>;
  /** The value of an expression in the page, which may be a promise; it must be plain JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** PNG of what is on the screen. */
  picture(): Promise<Buffer>;
  /** Of the page, not of the window around it. */
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

const WAIT_MS = 60_000;
const STEP_MS = 100;

/** Until the expression is true in whatever page is there then; a page that is being left answers nothing. */
export async function until(engine: Engine, expression: string): Promise<void> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    if (await engine.evaluate<boolean>(`Boolean(${expression})`).catch(() => false)) return;
    if (Date.now() > end) {
      const seen = await engine.evaluate<string>('document.body.innerText').catch(String);
      throw new Error(`${engine.name} never came to ${expression}, but shows: ${seen.slice(0, 500)}`);
    }
    await new Promise(resolve => setTimeout(resolve, STEP_MS));
  }
}

export const sees = (engine: Engine, text: string): Promise<void> =>
  until(engine, `document.body && document.body.innerText.includes(${JSON.stringify(text)})`);

/** Types as a person does for the page: what frameworks listen for is fired too. */
const TYPE = `(element, text) => {
  const proto = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  element.focus();
  Object.getOwnPropertyDescriptor(proto, 'value').set.call(element, text);
  element.dispatchEvent(new Event('input', { bubbles: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}`;

const MOST_TRIES = 20;

/** On a busy machine a page may draw a field again right after it is there, and what was typed is gone: then it is typed once more. */
export async function type(engine: Engine, selector: string, text: string): Promise<void> {
  const found = `document.querySelector(${JSON.stringify(selector)})`;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await until(engine, found);
    await engine.evaluate(`(${TYPE})(${found}, ${JSON.stringify(text)})`);
    await new Promise(resolve => setTimeout(resolve, STEP_MS));
    if (await engine.evaluate<boolean>(`Boolean(${found}?.value)`)) return;
  }
  throw new Error(`${engine.name} does not keep what is typed into ${selector}`);
}

/** By its own text or its label, among what is visible. */
const FIND_BUTTON = `name => [...document.querySelectorAll('button, a, input[type=submit], [role=menuitem]')].filter(
  element => element.getClientRects().length > 0
    && (element.textContent.trim() === name || element.getAttribute('aria-label') === name)).at(-1)`;

export async function press(engine: Engine, name: string): Promise<void> {
  const found = `(${FIND_BUTTON})(${JSON.stringify(name)})`;
  await until(engine, `${found} && !${found}.disabled`);
  // After the answer: a click that leaves the page would take the answer with it.
  await engine.evaluate(`void setTimeout(() => ${found}.click())`);
}
