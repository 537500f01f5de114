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

/** @param {HTMLIFrameElement} frame @param {string} kind @param {(data: any) => void} listener */
function listen(frame, kind, listener) {
  addEventListener('message', event => {
    if (event.origin === ORIGIN && event.source === frame.contentWindow && event.data.kind === kind)
      listener(event.data);
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

/** Elements that were mounted and neither unmounted nor destroyed: a page has one of each kind at most. */
const mounted = { payment: new Set(), expressCheckout: new Set() };

/** The element's own words for wallets, by the words of its events. */
const WALLETS = { applePay: 'apple_pay', googlePay: 'google_pay' };

/** @param {any} options */
function checkWallets({ emailRequired, buttonHeight, paymentMethods }) {
  insist(emailRequired === true, 'the page asks the wallet for the e-mail');
  insist(buttonHeight >= 40 && buttonHeight <= 55, 'buttonHeight');
  for (const [name, when] of Object.entries(paymentMethods)) {
    insist(['amazonPay', 'applePay', 'googlePay', 'klarna', 'link', 'paypal'].includes(name), `paymentMethods.${name}`);
    insist(['auto', 'never'].includes(when), `paymentMethods.${name}: ${when}`);
  }
}

/** @param {'payment' | 'expressCheckout'} name @param {any} options @param {any} given */
function pathOf(name, options, given) {
  const theme = given.appearance.theme;
  if (name === 'expressCheckout') {
    const offered = Object.entries(WALLETS).filter(([wallet]) => options.paymentMethods[wallet] !== 'never');
    return `/v3/wallets?${new URLSearchParams({ wallets: offered.map(([, id]) => id).join(','), theme })}`;
  }
  const never = Object.entries(options.wallets ?? {}).filter(([, when]) => when === 'never');
  const hidden = never.map(([wallet]) => /** @type {any} */ (WALLETS)[wallet]);
  const order = options.paymentMethodOrder.filter((/** @type {string} */ one) => !hidden.includes(one));
  return `/v3/fields?${new URLSearchParams({ order: order.join(','), theme })}`;
}

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
  /** @type {'payment' | 'expressCheckout'} */
  let kind = 'payment';
  let wishes = { setupFutureUsage: null };
  let isSubmitted = false;
  return {
    /** @param {any} more */
    async update(more) {
      wishes = { ...wishes, ...more };
      isSubmitted = false;
    },
    /** @param {'payment' | 'expressCheckout'} name @param {any} options */
    create(name, options) {
      kind = name;
      if (name === 'expressCheckout') checkWallets(options);
      else {
        insist(['always', 'auto', 'if_multiple', 'never'].includes(options.layout.radios), 'layout.radios');
        insist(options.fields.billingDetails.email === 'never', 'the page asks for the e-mail');
      }
      const shown = mounted[name];
      const element = {
        destroy() {
          insist(shown.delete(element), 'the element was destroyed already');
          frame?.remove();
          frame = undefined;
        },
        /** @param {HTMLElement} place */
        mount(place) {
          insist(shown.size === 0, 'an element that was replaced is still there: destroy it first');
          shown.add(element);
          frame = openFrame(pathOf(name, options, given), place);
          frame.style.cssText = 'display:block;width:100%;border:0;height:40px;color-scheme:normal';
          listen(frame, 'size', ({ height }) => {
            if (frame) frame.style.height = `${height}px`;
          });
        },
        /** @param {string} event @param {(event: any) => void} listener */
        on(event, listener) {
          addEventListener('message', ({ origin, source, data }) => {
            if (origin !== ORIGIN || source !== frame?.contentWindow || data.kind !== event) return;
            if (event !== 'confirm') return listener(data);
            listener({ ...data, paymentFailed: () => frame?.contentWindow?.postMessage({ kind: 'failed' }, ORIGIN) });
          });
        },
      };
      return element;
    },
    async submit() {
      // A wallet needs the user activation, which is lost with the first await: the sheet would not open.
      // The buttons of the wallets open it by themselves.
      const isInTime = kind === 'expressCheckout' || /** @type {any} */ (globalThis).inUserEvent !== false;
      insist(isInTime, 'submit() was called after something was awaited');
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
