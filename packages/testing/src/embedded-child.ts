import { startEmbedded } from '../../../apps/server/src/db/embedded/start-embedded.ts';

// A second Coinslot process for the tests of the launcher: says what it found, then lives until it is killed or told to stop.
const [dataDir = ''] = process.argv.slice(2);
const embedded = await startEmbedded({ dataDir, log: () => {}, settings: { fsync: 'off' } });
process.stdout.write(`${JSON.stringify({ url: embedded.url, adopted: embedded.adopted })}\n`);
process.on('SIGTERM', () => void embedded.stop().then(() => process.exit(0)));
