import { getDelivery, listAllDeliveries, retryDelivery } from './deliveries.ts';
import type { Endpoint } from './endpoint.ts';
import { deleteItem, getItem, listItems, putItem } from './items.ts';
import { cancelOrder, createOrder, getOrder, listOrders, refundOrder } from './orders.ts';
import { getPayment, listPayments } from './payments.ts';
import { erasePlayer, exportPlayer } from './players/player-data.ts';
import { getPlayer } from './players.ts';
import { listRequests } from './requests.ts';
import { advanceOrder, getChaos, listEvents, listen, payOrder, setChaos, triggerEvent } from './sandbox.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  patchWebhook,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
} from './webhooks.ts';

/** Every call a game backend can make. */
export const ENDPOINTS = {
  createOrder,
  getOrder,
  listOrders,
  cancelOrder,
  refundOrder,
  listPayments,
  getPayment,
  getItem,
  putItem,
  deleteItem,
  listItems,
  getPlayer,
  exportPlayer,
  erasePlayer,
  createWebhook,
  listWebhooks,
  getWebhook,
  patchWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  listDeliveries,
  listAllDeliveries,
  getDelivery,
  retryDelivery,
  payOrder,
  advanceOrder,
  getChaos,
  setChaos,
  listEvents,
  listRequests,
  triggerEvent,
  listen,
} as const satisfies Record<string, Endpoint>;
