import './app.css';
import { prepareApp, startApp } from './app.tsx';
import { loadFirstTexts } from './texts/texts.ts';

/** Session, page and texts are asked for side by side; nothing is drawn before the texts, because every component reads them. */
async function start(): Promise<void> {
  // The language is settled before a page asks for its texts.
  const texts = loadFirstTexts();
  const parts = prepareApp();
  await texts;
  startApp(document.getElementById('app')!, parts);
}

void start();
