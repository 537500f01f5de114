import { Histogram, type Registry } from 'prom-client';
import type { Gateway } from '../domain/payment/providers/base/gateway.ts';
import type { Sender } from '../domain/webhook/sending/send.ts';
import { systemClock } from '../kit/clock.ts';
import { aroundGateway, outcomeOf } from './around-gateway.ts';
import { watchEnvironments } from './failing-environments.ts';

/** End at the ten seconds that an endpoint has to answer. */
const OUTGOING_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What calls to the games' receivers and to payment providers take, and how they end. */
export function senderWatcher(registers: Registry[], registry: Registry): (sender: Sender) => Sender {
  const noteEnvironment = watchEnvironments(registry, systemClock.nowMs);
  const duration = new Histogram({
    name: 'coinslot_webhook_delivery_duration_seconds',
    help: 'One attempt to hand a webhook over: name look-up, connection, request and answer.',
    labelNames: ['outcome'],
    buckets: OUTGOING_BUCKETS,
    registers,
  });
  return sender => ({
    async send(request) {
      const exchange = await sender.send(request);
      const outcome = exchange.succeeded
        ? 'succeeded'
        : exchange.declined
          ? 'declined'
          : (exchange.failure ?? 'failed');
      duration.observe({ outcome }, exchange.durationMs / 1000);
      const { environmentId } = request;
      if (environmentId) noteEnvironment(environmentId, !exchange.succeeded && !exchange.declined);
      return exchange;
    },
    close: () => sender.close(),
  });
}

export function gatewayWatcher(registers: Registry[]): <G extends Gateway>(gateway: G) => G {
  const duration = new Histogram({
    name: 'coinslot_provider_request_duration_seconds',
    help: 'Calls to payment providers. The outcome `unknown` is asked about again, never charged again.',
    labelNames: ['gateway', 'operation', 'outcome'],
    buckets: OUTGOING_BUCKETS,
    registers,
  });
  return gateway =>
    aroundGateway(gateway, async ({ gateway: name, operation }, work) => {
      const end = duration.startTimer({ gateway: name, operation });
      try {
        const answer = await work();
        end({ outcome: outcomeOf(answer) });
        return answer;
      } catch (error) {
        end({ outcome: 'unknown' });
        throw error;
      }
    });
}
