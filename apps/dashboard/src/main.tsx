import './app.css';
import { prepareApp, startApp } from './app.tsx';
import { loadFirstTexts, loadRest } from './texts/texts.ts';

/** Session, page and texts are asked for side by side; nothing is drawn before the texts, because every component reads them. */
async function start(): Promise<void> {
  // The language is settled before a page asks for its texts.
  const texts = loadFirstTexts();
  const parts = prepareApp();
  await texts;
  startApp(document.getElementById('app')!, parts);
  // A page that needs them asks again and says what is wrong.
  loadRest().catch(() => undefined);
}

void start();
