/**
 * The interface document, sentence by sentence and in its order: each test is named in the document's own words. The
 * program runs in a process of its own and is used only as a game studio would use it: `setup`, HTTP, the page, `mails`.
 */
import { orderLifetime } from './interface/order-lifetime.ts';
import { resources } from './interface/resources.ts';
import { setStage } from './interface/stage.ts';
import { statesToVersioning } from './interface/states-to-versioning.ts';
import { whatTheServiceDoes } from './interface/what-the-service-does.ts';

setStage();
whatTheServiceDoes();
resources();
statesToVersioning();
// Last, because it moves the clock of the whole shop.
orderLifetime();

/*
 * Sentences of the document that wait for the dashboard or for live mode:
 * - "The service runs in two modes … It is switched on with a Sandbox toggle in the dashboard."
 * - "alternative methods (PayPal, wallets, local payment methods) appear only in live"; real payments in live.
 * - "a transaction record appears in the dashboard under Transactions. Unsuccessful payments also appear there."
 * - Payment methods (live): Company settings → Payment methods; the four that cannot be disabled; evaluated at checkout.
 * - "the payment form offers the player a setting to save the payment method for later one-click payments" (live).
 * - "Refunds are requested in the dashboard under Transactions."
 * - "A subscription can also be created in the dashboard: Integration → Webhooks → Add webhook …"; the Main class.
 * - "The S2S key is found in the dashboard under Integration → API keys."
 */
