import type * as contract from '@coinslot/contract';
import type { ENDPOINTS } from '@coinslot/contract';
import { expect, expectTypeOf, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import type * as sdk from './index.ts';
import { VERSION } from './send-request.ts';

/** The same type written without names, so that only its fields count. */
type Plain<T> = T extends readonly (infer One)[]
  ? Plain<One>[]
  : T extends object
    ? { [Key in keyof T]: Plain<T[Key]> }
    : T;

type Calls = typeof ENDPOINTS;
type Answered<Call extends keyof Calls> = Plain<contract.ResponseOf<Calls[Call]>>;
type QueryFor<Call extends keyof Calls> = Plain<contract.QueryOf<Calls[Call]>>;
type Entry<Call extends keyof Calls> =
  contract.ResponseOf<Calls[Call]> extends { data: (infer One)[] } ? Plain<One> : never;
type EventOf<K extends contract.EventKind> = Plain<contract.EventDataOf<K>>;

it('what is answered has the types of the contract', () => {
  expectTypeOf<Plain<sdk.CreatedOrder>>().toEqualTypeOf<Answered<'createOrder'>>();
  expectTypeOf<Plain<sdk.Order>>().toEqualTypeOf<Answered<'getOrder'>>();
  expectTypeOf<Plain<sdk.Order>>().toEqualTypeOf<Entry<'listOrders'>>();
  expectTypeOf<Plain<sdk.Order>>().toEqualTypeOf<Answered<'cancelOrder'>>();
  expectTypeOf<Plain<sdk.OrderRefunded>>().toEqualTypeOf<Answered<'refundOrder'>>();
  expectTypeOf<Plain<sdk.Payment>>().toEqualTypeOf<Answered<'getPayment'>>();
  expectTypeOf<Plain<sdk.Payment>>().toEqualTypeOf<Entry<'listPayments'>>();
  expectTypeOf<Plain<sdk.Item>>().toEqualTypeOf<Answered<'getItem'>>();
  expectTypeOf<Plain<sdk.ItemSaved>>().toEqualTypeOf<Answered<'putItem'>>();
  expectTypeOf<Plain<sdk.Item>>().toEqualTypeOf<Entry<'listItems'>>();
  expectTypeOf<Plain<sdk.Player>>().toEqualTypeOf<Answered<'getPlayer'>>();
  expectTypeOf<Plain<sdk.PlayerExport>>().toEqualTypeOf<Answered<'exportPlayer'>>();
  expectTypeOf<Plain<sdk.ErasedPlayer>>().toEqualTypeOf<Answered<'erasePlayer'>>();
  expectTypeOf<Plain<sdk.Chaos>>().toEqualTypeOf<Answered<'getChaos'>>();
  expectTypeOf<Plain<sdk.ChaosSet>>().toEqualTypeOf<Answered<'setChaos'>>();
  expectTypeOf<Plain<sdk.WebhookSaved>>().toEqualTypeOf<Answered<'createWebhook'>>();
  expectTypeOf<Plain<sdk.Webhook>>().toEqualTypeOf<Answered<'getWebhook'>>();
  expectTypeOf<Plain<sdk.Webhook>>().toEqualTypeOf<Entry<'listWebhooks'>>();
  expectTypeOf<Plain<sdk.WebhookSaved>>().toEqualTypeOf<Answered<'patchWebhook'>>();
  expectTypeOf<Plain<sdk.Webhook>>().toEqualTypeOf<Answered<'rotateWebhookSecret'>>();
  expectTypeOf<Plain<sdk.DeliverySummary>>().toEqualTypeOf<Answered<'testWebhook'>>();
  expectTypeOf<Plain<sdk.Replay>>().toEqualTypeOf<Answered<'replayWebhook'>>();
  expectTypeOf<Plain<sdk.Delivery>>().toEqualTypeOf<Entry<'listDeliveries'>>();
  expectTypeOf<Plain<sdk.Delivery>>().toEqualTypeOf<Answered<'getDelivery'>>();
  expectTypeOf<Plain<sdk.DeliverySummary>>().toEqualTypeOf<Answered<'retryDelivery'>>();
  expectTypeOf<Plain<sdk.SandboxPayment>>().toEqualTypeOf<Answered<'payOrder'>>();
  expectTypeOf<Plain<sdk.EventRecord>>().toEqualTypeOf<Entry<'listEvents'>>();
  expectTypeOf<Plain<sdk.TriggeredEvent>>().toEqualTypeOf<Answered<'triggerEvent'>>();
});

it('what is asked has the types of the contract', () => {
  expectTypeOf<Plain<sdk.CreateOrder>>().toEqualTypeOf<Plain<contract.CreateOrder>>();
  expectTypeOf<Plain<sdk.RefundOrder>>().toEqualTypeOf<Plain<contract.RefundOrder>>();
  expectTypeOf<Plain<sdk.ItemInput>>().toEqualTypeOf<Plain<contract.ItemInput>>();
  expectTypeOf<Plain<sdk.CreateWebhook>>().toEqualTypeOf<Plain<contract.CreateWebhook>>();
  expectTypeOf<Plain<sdk.PatchWebhook>>().toEqualTypeOf<Plain<contract.PatchWebhook>>();
  expectTypeOf<Plain<sdk.ReplayWebhook>>().toEqualTypeOf<Plain<contract.ReplayWebhook>>();
  expectTypeOf<Plain<sdk.PayOrder>>().toEqualTypeOf<Plain<contract.PayOrder>>();
  expectTypeOf<Plain<sdk.TriggerEvent>>().toEqualTypeOf<Plain<contract.TriggerEvent>>();
  expectTypeOf<Plain<sdk.ListEventsQuery>>().toEqualTypeOf<QueryFor<'listEvents'>>();
  expectTypeOf<Plain<sdk.ListOrdersQuery>>().toEqualTypeOf<QueryFor<'listOrders'>>();
  expectTypeOf<Plain<sdk.ListPaymentsQuery>>().toEqualTypeOf<QueryFor<'listPayments'>>();
  expectTypeOf<Plain<sdk.ListItemsQuery>>().toEqualTypeOf<QueryFor<'listItems'>>();
  expectTypeOf<Plain<sdk.ListWebhooksQuery>>().toEqualTypeOf<QueryFor<'listWebhooks'>>();
  expectTypeOf<Plain<sdk.ListDeliveriesQuery>>().toEqualTypeOf<QueryFor<'listDeliveries'>>();
  expectTypeOf<Plain<sdk.ListRequestsQuery>>().toEqualTypeOf<QueryFor<'listRequests'>>();
  expectTypeOf<Plain<sdk.GetOrderQuery>>().toEqualTypeOf<QueryFor<'getOrder'>>();
});

it('events and words have the types of the contract', () => {
  expectTypeOf<sdk.EventKind>().toEqualTypeOf<contract.EventKind>();
  expectTypeOf<sdk.EventSelector>().toEqualTypeOf<contract.EventSelector>();
  expectTypeOf<sdk.OrderStatus>().toEqualTypeOf<contract.OrderStatus>();
  expectTypeOf<sdk.PaymentStatus>().toEqualTypeOf<contract.PaymentStatus>();
  expectTypeOf<sdk.DeliveryStatus>().toEqualTypeOf<contract.DeliveryStatus>();
  expectTypeOf<sdk.ReasonCode>().toEqualTypeOf<contract.ReasonCode>();
  expectTypeOf<sdk.IssueCode>().toEqualTypeOf<contract.IssueCode>();
  expectTypeOf<sdk.ErrorCode>().toExtend<contract.ErrorCode>();
  expectTypeOf<Plain<sdk.EventDataByKind>>().toEqualTypeOf<{ [K in contract.EventKind]: EventOf<K> }>();
});

it('a switch on event_type narrows event_data', () => {
  const skuOf = (event: sdk.WebhookEvent): string | undefined =>
    event.event_type === 'item.add' ? event.event_data.items[0]?.sku : undefined;
  expectTypeOf(skuOf).returns.toEqualTypeOf<string | undefined>();
});

it('the version is that of the package', () => {
  expect(VERSION).toBe(packageJson.version);
});
