import type { ProviderForm } from '../checkout-view.ts';

/** A payment that the player approved in the sheet of a wallet. */
export interface WalletPayment {
  /** The wallet, by the provider's name. */
  method: string;
  /** The address that the wallet has for the player. Empty if it gives none. */
  email: string;
  submit(email: string): Promise<SubmittedForm>;
  /** Tells the wallet's sheet that nothing was paid. */
  failed(): void;
}

/** What the provider's form reports to the page. */
export interface FormEvents {
  /** The player selected a method, by the provider's name. */
  chosen(type: string): void;
  focused(): void;
  /** The form cannot be shown. */
  failed(): void;
  /** Whether this browser has a wallet to pay with. */
  walletsFound(any: boolean): void;
  approved(payment: WalletPayment): void;
}

export interface FormOptions extends ProviderForm {
  language: string;
  /** The seller's name inside the form. */
  business: string;
}

/** A token for the payment, or the reason why there is none, as text for the player. */
export type SubmittedForm = { token: string } | { problem: string | undefined };

/** A provider's form in the page. */
export interface ProviderPage {
  /** `wallets` is where the buttons of wallets go, before everything that is typed. */
  mount(place: HTMLElement, options: FormOptions, events: FormEvents, wallets: HTMLElement | null): void;
  /** Does nothing if no form is mounted. */
  unmount(): void;
  /** Sets how to save the method in the provider's terms, or null not to save it. */
  setSaveMode(how: string | null): void;
  /**
   * Null if no form is mounted. The page calls this in the task of the click, because a wallet's sheet must be
   * requested before any `await`.
   */
  submit(email: string): Promise<SubmittedForm> | null;
  /** Lets the player confirm on this page. The server asks the provider for the result. */
  confirm(clientSecret: string): Promise<void>;
}

/**
 * Each provider's folder has a script part that runs before the page's script and sets `globalThis.openProviderPage` to
 * this function. The page calls it once the provider's own script has loaded.
 */
export type OpenProviderPage = (publishableKey: string) => ProviderPage;
