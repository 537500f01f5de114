/** Runs only the game, with a Coinslot that is already running: S2S_KEY=… COINSLOT_URL=http://localhost:4242 tsx src/main.ts */
import { serveGame } from './serve-game.ts';

const { S2S_KEY = '', COINSLOT_URL = 'http://localhost:4242', PORT = '4300', RECEIVER = '' } = process.env;
const receiver = RECEIVER ? { receiver: { name: RECEIVER, port: Number(PORT) + 1 } } : {};
const { url, stop } = await serveGame({ s2sKey: S2S_KEY, coinslotUrl: COINSLOT_URL, port: Number(PORT), ...receiver });
console.log(`Crystal Hollow is open at ${url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // What another game had registered is asked again.
    void stop().finally(() => process.exit(0));
  });
}
