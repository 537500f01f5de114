// Vendure as its own quickstart sets it up for PostgreSQL, less what serves pictures, mails and its dashboard: the core, its job queue, search
// and scheduler. One product in a shop that takes every payment. It runs in a folder in which `npm run bench -- peers` has installed it.
//   node vendure-shop.cjs FOLDER DATABASE_URL PORT
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { writeFileSync } = require('node:fs');

const [folder, databaseUrl, port] = process.argv.slice(2);
const load = createRequire(join(folder, 'package.json'));
const vendure = load('@vendure/core');
const { populate } = load('@vendure/core/cli');
const { DefaultJobQueuePlugin, DefaultSchedulerPlugin, DefaultSearchPlugin, dummyPaymentHandler, LanguageCode } =
  vendure;

const config = {
  apiOptions: { port: Number(port), hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: { tokenMethod: ['bearer'], superadminCredentials: { identifier: 'superadmin', password: 'superadmin' } },
  dbConnectionOptions: { type: 'postgres', url: databaseUrl, synchronize: true, logging: false },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Error }),
  plugins: [
    DefaultSchedulerPlugin.init(),
    DefaultJobQueuePlugin.init({ useDatabaseForBuffer: true }),
    DefaultSearchPlugin.init({ bufferUpdates: false, indexStockStatus: true }),
  ],
};

const initialData = {
  defaultLanguage: LanguageCode.en,
  defaultZone: 'Europe',
  countries: [{ name: 'Germany', code: 'DE', zone: 'Europe' }],
  taxRates: [{ name: 'Standard Tax', percentage: 20 }],
  shippingMethods: [{ name: 'Standard Shipping', price: 0 }],
  paymentMethods: [
    {
      name: 'Standard Payment',
      handler: { code: dummyPaymentHandler.code, arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
  collections: [],
};
const PRODUCTS = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Sword,sword,A sword,,,,,sword,4.99,standard,100000000,false,,
`;

async function main() {
  const products = join(folder, 'products.csv');
  writeFileSync(products, PRODUCTS);
  await populate(() => vendure.bootstrap(config), initialData, products);
  process.send?.('ready');
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
