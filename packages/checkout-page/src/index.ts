export { playerLanguageOf as languageOf } from '@coinslot/texts/players';
export { fieldProblem } from './browser/field-rules.js';
export type {
  FormEvents,
  FormOptions,
  OpenProviderPage,
  ProviderPage,
  SubmittedForm,
} from './browser/provider-page.ts';
export type {
  CheckoutState,
  CheckoutStatus,
  CheckoutView,
  Field,
  FieldError,
  FieldErrors,
  FormProblem,
  FormView,
  ItemView,
  LiveForm,
  MethodView,
  Missing,
  NoOrderView,
  OpenForm,
  OutcomeView,
  ProviderForm,
  ProviderScript,
  ProviderSources,
  PurchaseFacts,
  SavedMethodView,
  SellerView,
  TestCard,
  Theme,
} from './checkout-view.ts';
export { FIELDS } from './checkout-view.ts';
export { type ChosenLanguage, chooseLanguage } from './choose-language.ts';
export { escapeHtml, type Part, Shared } from './html.ts';
export { LANGUAGES, type Language } from './languages.ts';
export { pageAddress } from './page-links.ts';
export { LIVE_SCRIPT, PAGE_SCRIPT } from './page-script.ts';
export { type PreviewAppearance, type PreviewState, renderPreview } from './preview.ts';
export { type CheckoutPage, renderCheckout } from './render-checkout.ts';
export { type AccentColors, accentColors, contrast } from './style/accent.ts';
export { PAGE_STYLE } from './style/page-style.ts';
