// @ts-check
// Stands in for Stripe's browser script: the part of it that our page uses, in its shapes, and strict about misuse.
// Its fields live in a frame of its own origin, so card data never touches the page.

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const ORIGIN = new URL(script.src).origin;

/** @param {boolean} isRight @param {string} what */
function insist(isRight, what) {
  if (!isRight) throw new Error(`IntegrationError: ${what}`);
}

/** @param {string} path @param {HTMLElement} parent */
function openFrame(path, parent) {
  const frame = document.createElement('iframe');
  frame.src = ORIGIN + path;
  frame.title = 'Secure payment input frame';
  parent.append(frame);
  return frame;
}

/** @param {HTMLIFrameElement} frame @param {string} kind @param {(data: any) => void} heard */
function listen(frame, kind, heard) {
  addEventListener('message', event => {
    if (event.origin === ORIGIN && event.source === frame.contentWindow && event.data.kind === kind) heard(event.data);
  });
}

/** @param {HTMLIFrameElement} frame @param {object} question @param {string} kind @returns {Promise<any>} */
function ask(frame, question, kind) {
  return new Promise(resolve => {
    listen(frame, kind, resolve);
    frame.contentWindow?.postMessage(question, ORIGIN);
  });
}

const LOCALES =
  'auto ar bg cs da de el en en-GB es es-419 et fi fil fr fr-CA he hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW';

/** Elements that were mounted and neither unmounted nor destroyed: a page has one payment form at most. */
const mounted = new Set();

/** @param {any} given */
function createElements(given) {
  insist(LOCALES.split(' ').includes(given.locale), `locale ${given.locale}`);
  insist(given.mode === 'payment', 'mode');
  insist(Number.isInteger(given.amount) && given.amount > 0, 'amount');
  insist(/^[a-z]{3}$/.test(given.currency), 'currency');
  insist(given.paymentMethodTypes === undefined, 'paymentMethodTypes is not supported any more');
  insist(given.allowedPaymentMethodTypes.length > 0, 'allowedPaymentMethodTypes');
  for (const type of ['blik', 'acss_debit'])
    insist(!given.allowedPaymentMethodTypes.includes(type), `${type} without an intent`);
  /** @type {HTMLIFrameElement | undefined} */
  let frame;
  let wishes = { setupFutureUsage: null };
  let isSubmitted = false;
  return {
    /** @param {any} more */
    async update(more) {
      wishes = { ...wishes, ...more };
      isSubmitted = false;
    },
    /** @param {string} kind @param {any} options */
    create(kind, options) {
      insist(kind === 'payment', 'element');
      insist(['always', 'auto', 'if_multiple', 'never'].includes(options.layout.radios), 'layout.radios');
      insist(options.fields.billingDetails.email === 'never', 'the page asks for the e-mail');
      const element = {
        destroy() {
          insist(mounted.delete(element), 'the element was destroyed already');
          frame?.remove();
          frame = undefined;
        },
        /** @param {HTMLElement} place */
        mount(place) {
          insist(mounted.size === 0, 'a payment element that was replaced is still there: destroy it first');
          mounted.add(element);
          const query = new URLSearchParams({
            order: options.paymentMethodOrder.join(','),
            theme: given.appearance.theme,
          });
          frame = openFrame(`/v3/fields?${query}`, place);
          frame.style.cssText = 'display:block;width:100%;border:0;height:40px;color-scheme:normal';
          listen(frame, 'size', ({ height }) => {
            if (frame) frame.style.height = `${height}px`;
          });
        },
        /** @param {string} event @param {(event: any) => void} heard */
        on(event, heard) {
          addEventListener('message', ({ origin, source, data }) => {
            if (origin === ORIGIN && source === frame?.contentWindow && data.kind === event) heard(data);
          });
        },
      };
      return element;
    },
    async submit() {
      // A wallet needs the user activation, which is lost with the first await: the sheet would not open.
      insist(/** @type {any} */ (globalThis).inUserEvent !== false, 'submit() was called after something was awaited');
      isSubmitted = true;
      const { error } = await ask(/** @type {HTMLIFrameElement} */ (frame), { kind: 'check' }, 'checked');
      return error ? { error } : {};
    },
    /** @param {string} email */
    token(email) {
      insist(isSubmitted, 'elements.submit() must be called first');
      insist(Boolean(email), 'billing_details.email is missing');
      const save = wishes.setupFutureUsage ?? false;
      return ask(
        /** @type {HTMLIFrameElement} */ (frame),
        { kind: 'make', save, types: given.allowedPaymentMethodTypes },
        'made',
      );
    },
  };
}

/** @param {{ clientSecret: string }} given */
async function handleNextAction({ clientSecret }) {
  const answer = await fetch(`${ORIGIN}/v3/action?${new URLSearchParams({ secret: clientSecret })}`);
  const { redirect, status } = await answer.json();
  insist(status === 'requires_action', `the PaymentIntent is ${status}`);
  if (redirect) {
    location.assign(redirect);
    return new Promise(() => {});
  }
  const frame = openFrame(`/v3/challenge?${new URLSearchParams({ secret: clientSecret })}`, document.body);
  frame.style.cssText = 'position:fixed;inset:20% 10%;width:80%;height:200px;background:#fff;border:2px solid #635bff';
  const { error } = await new Promise(resolve => listen(frame, 'answered', resolve));
  frame.remove();
  return error ? { error } : { paymentIntent: {} };
}

Object.assign(globalThis, {
  /** @param {string} key */
  Stripe(key) {
    insist(key.startsWith('pk_'), 'publishable key');
    return {
      elements: createElements,
      /** @param {any} given */
      async createConfirmationToken({ elements, params }) {
        const { id, error } = await elements.token(params?.payment_method_data?.billing_details?.email);
        return error ? { error } : { confirmationToken: { id } };
      },
      handleNextAction,
    };
  },
});
