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
  NoOrderView,
  OutcomeView,
  TestCard,
  Theme,
} from './checkout-view.ts';
export { FIELDS } from './checkout-view.ts';
export { chooseLanguage, type Language } from './languages.ts';
export { PAGE_HEADERS } from './page-headers.ts';
export { renderPage } from './render-page.ts';
