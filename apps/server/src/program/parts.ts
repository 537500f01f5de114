import type { Db } from '../db/db.ts';
import { createDbClock } from '../db/db-clock.ts';
import { createSchemaCheck } from '../db/migrate.ts';
import { createReplica } from '../db/replica/replica.ts';
import { createSignals } from '../db/signals.ts';
import { createChaosReader } from '../domain/game/chaos/chaos.ts';
import { createEnvironmentReader } from '../domain/game/find-environment.ts';
import { createRequestLog } from '../domain/game/keys/request-log.ts';
import { checkoutUrls } from '../domain/order/checkout-token.ts';
import { createMerchantAccounts } from '../domain/payment/merchant-accounts/merchant-accounts.ts';
import { createSwitchesReader } from '../domain/payment/merchant-accounts/read-choices.ts';
import { simulatedProvider } from '../domain/payment/methods/live-routing.ts';
import type { Refusal } from '../domain/payment/providers/base/charge-shape.ts';
import { freeGateway } from '../domain/payment/providers/base/charges.ts';
import type { ChargeRef, Gateway } from '../domain/payment/providers/base/gateway.ts';
import { chaoticSimulator, createSimulator } from '../domain/payment/providers/simulator/simulator.ts';
import type { PurchaseShop } from '../domain/purchase/engine/purchase.ts';
import type { Shop } from '../domain/shop.ts';
import { createEndpointWatch } from '../domain/webhook/health/watch-endpoints.ts';
import { chaoticSender } from '../domain/webhook/sending/chaotic-sender.ts';
import { parseNetwork } from '../domain/webhook/sending/public-address.ts';
import { createReceiverSlots } from '../domain/webhook/sending/receiver-slots.ts';
import { systemResolver } from '../domain/webhook/sending/resolve-host.ts';
import { createSender, type Sender } from '../domain/webhook/sending/send.ts';
import type { TargetPolicy } from '../domain/webhook/sending/target.ts';
import { createListening } from '../domain/webhook/tunnel/relay.ts';
import { createBudgets } from '../http/limits/budgets.ts';
import { createConnectionSlots } from '../http/limits/connection-slots.ts';
import { createSharedLimits } from '../http/limits/share-limits.ts';
import { createStreamCounts } from '../http/limits/stream-counts.ts';
import { besideOutput, createLogger, idsOf } from '../http/log.ts';
import { createBackground } from '../jobs/background.ts';
import { systemClock } from '../kit/clock.ts';
import { createSeal } from '../kit/seal.ts';
import { createMailer, type Mailer } from '../mail/mailer.ts';
import type { Config } from '../settings/config.ts';
import { aroundGateway } from '../telemetry/around-gateway.ts';
import type { LogExport } from '../telemetry/export-logs.ts';
import type { MetricExport } from '../telemetry/export-metrics.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { knownProviders } from './known-providers.ts';
import { createKeyring, placeOf } from './master-key/keyring.ts';
import { openPools, type PoolSettings } from './open-pools.ts';

export interface ProgramOptions extends PoolSettings {
  masterKey: Buffer;
  version: string;
  logExport?: LogExport | undefined;
  metricExport?: MetricExport | undefined;
  /** Tests replace a part by one that misbehaves. */
  replace?: (parts: Parts) => Parts;
  /** Reads the metrics of all processes together. Without it the program reports its own. */
  readMetrics?: () => Promise<string>;
}

export type Parts = ReturnType<typeof buildParts>;

/** The same shop on another pool, so that no kind of work takes the connections of another. */
export const withPool = <S extends Shop>(shop: S, db: Db): S => ({ ...shop, db });

/** What the use cases are given, on the pool of the doors. */
export function shopOf(parts: Parts, { operations, env, ...config }: Config): PurchaseShop {
  const { simulator, live, random, isChaotic } = parts;
  const reaching = parts.listening.relay.around(parts.sender);
  const isSimulated = config.liveGateway === 'simulator';
  return {
    ...parts,
    sender: parts.watchSender(chaoticSender(reaching, { isChaotic, random, clock: systemClock })),
    async callOutside(request) {
      const { status, responseHeaders: headers, responseBody: body, error } = await parts.sender.send(request);
      return { status, headers, body, error };
    },
    gateways: { [simulator.name]: simulator, [freeGateway.name]: freeGateway, ...live.gateways },
    isSimulated,
    merchantAccounts: live,
    findLiveRouting: isSimulated ? simulatedProvider(simulator) : live.findRouting,
    switchesOf: createSwitchesReader(parts.db),
    attemptLimits: config.attemptLimits,
    background: parts.background.add,
    publicUrl: config.publicUrl,
    archiveDir: operations.archiveDir,
    registration: config.registration,
    requireSecondFactor: config.requireSecondFactor,
    allowTestKeys: env !== 'production',
  };
}

/** Counts every call for its company. None is refused here: money that was taken must be captured or go back. */
const countCalls =
  (
    watch: <G extends Gateway>(gateway: G) => G,
    { budgets, environmentOf, onError }: Pick<PurchaseShop, 'budgets' | 'onError' | 'environmentOf'>,
  ) =>
  <G extends Gateway>(gateway: G): G =>
    aroundGateway(watch(gateway), ({ ref }, work) => {
      if (budgets.limiters.providerCalls.isOn)
        void environmentOf(ref.environmentId)
          .then(environment => environment && budgets.limiters.providerCalls.take(environment.companyId))
          .catch(onError);
      return work();
    });

/** Shows an operator the refusals that the shop itself caused. No part of a refusal is a secret. */
const logRefusal =
  (logger: ReturnType<typeof createLogger>) =>
  ({ environmentId, paymentId }: ChargeRef, { whose, code, param, requestId }: Refusal): void => {
    if (whose === 'shop')
      logger.warn({ environmentId, paymentId, code, param, requestId }, 'the provider refused a call');
  };

const targetPolicyOf = ({ env, webhookAllowNetworks, outgoingHosts }: Config): TargetPolicy => ({
  production: env === 'production',
  hosts: outgoingHosts,
  allowNetworks: webhookAllowNetworks.map(parseNetwork).filter(network => network !== null),
});

const mailerOf = ({ smtpUrl, mailFrom, smtpAllowPlain, smtpClientPem }: Config): Mailer | null =>
  smtpUrl === undefined
    ? null
    : createMailer({ smtpUrl, from: mailFrom, allowPlain: smtpAllowPlain, clientPem: smtpClientPem });

type PartOptions = Omit<ProgramOptions, 'replace'>;

/** Builds everything that doors and workers share, each part once. */
export function buildParts(options: PartOptions) {
  const { config, databaseUrl: url, masterKey, version, tracing } = options;
  const logger = createLogger(config.logLevel, options.logExport && besideOutput(options.logExport));
  const metrics = createMetrics(version);
  options.metricExport?.watch(metrics.registry);
  const onError = (error: unknown, source = 'background', about: object = {}): void => {
    metrics.countFailure(source);
    logger.error({ err: error, source, ...idsOf(about) }, 'work failed');
  };
  const targetPolicy = targetPolicyOf(config);
  const { db, moneyDb, providerDb, reportDb, replicaDb } = openPools(options, onError);
  const seal = createSeal(masterKey);
  const watchGateway = <G extends Gateway>(gateway: G): G => {
    const watched = metrics.watchGateway(gateway);
    return tracing?.watchGateway(watched) ?? watched;
  };
  const signals = createSignals(config.operations.sessionUrl ?? url, onError);
  const isChaotic = createChaosReader(db);
  const environmentOf = createEnvironmentReader(db);
  const sharedLimits = createSharedLimits(db, onError);
  const budgets = createBudgets(config.budgets, sharedLimits);
  const watchLive = countCalls(watchGateway, { budgets, environmentOf, onError });
  const onRefusal = logRefusal(logger);
  return {
    budgets,
    isChaotic,
    environmentOf,
    checkoutUrlOf: checkoutUrls(seal, config.publicUrl),
    schemaProblem: createSchemaCheck(db),
    keyring: createKeyring({ db, seal, masterKey, where: placeOf(url) }),
    logger,
    metrics,
    onError,
    requestLog: createRequestLog({ db, onError }),
    targetPolicy,
    db,
    moneyDb,
    providerDb,
    reportDb,
    replica: replicaDb && createReplica({ main: reportDb, replica: replicaDb, clock: systemClock, onError }),
    clock: createDbClock(db, systemClock),
    seal,
    signals,
    listening: createListening({ db, signals, clock: systemClock, onError }),
    endpointWatch: createEndpointWatch({ db: moneyDb, signals, onError }),
    receiverSlots: createReceiverSlots(signals),
    sender: createSender({ policy: targetPolicy, resolve: systemResolver(), version }),
    watchSender(sender: Sender): Sender {
      const watched = metrics.watchSender(sender);
      return tracing?.watchSender(watched) ?? watched;
    },
    simulator: watchGateway(chaoticSimulator(createSimulator({ db: providerDb }), isChaotic, Math.random)),
    live: createMerchantAccounts({
      providers: knownProviders({ config, version, db: providerDb, seal, watchGateway: watchLive, onRefusal }),
      onError,
      db,
      seal,
      environmentOf,
    }),
    mailer: mailerOf(config),
    background: createBackground(onError),
    connectionSlots: createConnectionSlots(),
    streamCounts: createStreamCounts(db, onError),
    sharedLimits,
    random: Math.random,
  };
}
