import type { ProviderForm } from '../checkout-view.ts';

/** What the provider's form tells the page. */
export interface FormNews {
  /** The player selected a method, by the provider's name. */
  chosen(type: string): void;
  focused(): void;
  /** The form cannot be shown. */
  failed(): void;
}

export interface FormOptions extends ProviderForm {
  language: string;
  /** The seller, as the form names it. */
  business: string;
}

/** A token for the payment, or why there is none, in words for the player. */
export type SubmittedForm = { token: string } | { problem: string | undefined };

/** A provider's form in the page. */
export interface ProviderPage {
  draw(place: HTMLElement, options: FormOptions, news: FormNews): void;
  /** Does nothing when none is drawn. */
  takeDown(): void;
  /** The player wants the method saved, in the provider's word for how, or no longer. */
  keep(how: string | null): void;
  /** Null: no form is drawn. Called in the task of the click: a wallet's sheet must be asked for before anything is awaited. */
  submit(email: string): Promise<SubmittedForm> | null;
  /** Has the player confirm on this page. What came of it, the server asks the provider. */
  confirm(clientSecret: string): Promise<void>;
}

/**
 * A provider's part of the page stands in its own folder, comes before the page's script and leaves this at
 * `globalThis.openProviderPage`. It is called once the provider's own script is loaded.
 */
export type OpenProviderPage = (publishableKey: string) => ProviderPage;
