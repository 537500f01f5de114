/** What Stripe answers instead of an object. */
export class DoubleError extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;
  /** Found before anything was done: Stripe does not keep such an answer under the idempotency key. */
  readonly isEarly: boolean;

  constructor(status: number, body: Record<string, unknown>, isEarly = false) {
    super(String(body.message ?? body.type));
    this.status = status;
    this.body = body;
    this.isEarly = isEarly;
  }
}

export const invalid = (message: string, more: Record<string, unknown> = {}): DoubleError =>
  new DoubleError(400, { type: 'invalid_request_error', message, ...more }, true);

export const missing = (what: string, id: string, param: string, otherMode: boolean): DoubleError =>
  new DoubleError(
    404,
    {
      type: 'invalid_request_error',
      code: 'resource_missing',
      param,
      message: otherMode
        ? `No such ${what}: '${id}'; a similar object exists in test mode, but a live mode key was used to make this request.`
        : `No such ${what}: '${id}'`,
    },
    true,
  );

export const unexpectedState = (message: string, intent: object): DoubleError =>
  new DoubleError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: intent,
  });
