export interface Answered {
  status: number;
  body: Record<string, unknown>;
}

const REQUEST_MS = 30_000;
/** Then the player gives up. */
const MOST_POSTS = 3;
const COME_BACK: readonly number[] = [408, 503];

/** A game's backend and a player's browser. They go on when a program dies, and remember answers that no caller should get. */
export class Caller {
  readonly surprises: string[] = [];
  readonly #url: () => string;
  readonly #key: string;
  #attempts = 0;

  constructor(url: () => string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Null: no answer came, because the program died or asked to come back later. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered | null> {
    const text = await this.#fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return text && { status: text.status, body: text.isJson ? (JSON.parse(text.text) as Answered['body']) : {} };
  }

  /** A form of the player's page. Answers whether an answer came. */
  async post(path: string, fields: Record<string, string>): Promise<boolean> {
    const init: RequestInit = { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' };
    return (await this.#fetch(path, init)) !== null;
  }

  /** As the page's script does: what had no answer is sent again as the same attempt, to the program that answers next. */
  async postUntilAnswered(path: string, fields: Record<string, string>): Promise<void> {
    const attempt = `attempt-${++this.#attempts}`;
    for (let tries = 0; tries < MOST_POSTS; tries++) if (await this.post(path, { ...fields, attempt })) return;
  }

  async text(path: string): Promise<string | null> {
    return (await this.#fetch(path, { method: 'GET' }))?.text ?? null;
  }

  async #fetch(path: string, init: RequestInit): Promise<{ status: number; text: string; isJson: boolean } | null> {
    try {
      const response = await fetch(this.#url() + path, { ...init, signal: AbortSignal.timeout(REQUEST_MS) });
      const text = await response.text();
      // Come back later: nothing was promised and nothing was done.
      if (COME_BACK.includes(response.status)) return null;
      if (response.status >= 500)
        this.surprises.push(`${init.method} ${path}: ${response.status} ${text.slice(0, 300)}`);
      const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
      return { status: response.status, text, isJson };
    } catch {
      return null;
    }
  }
}
