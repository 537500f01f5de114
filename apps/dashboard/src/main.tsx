import './app.css';
import { prepareApp, startApp } from './app.tsx';
import { loadTexts } from './texts/texts.ts';

/** Session, page and texts are asked for side by side; nothing is drawn before the texts, because every component reads them. */
async function start(): Promise<void> {
  const parts = prepareApp();
  await loadTexts();
  startApp(document.getElementById('app')!, parts);
}

void start();
