import './app.css';
import { prepareApp, startApp } from './app.tsx';
import { loadCoreTexts } from './texts/texts.ts';

/**
 * Loads session, page and texts in parallel. Nothing is rendered before the texts are there, because every component
 * uses them.
 */
async function start(): Promise<void> {
  // This fixes the language before any page loads its own texts.
  const texts = loadCoreTexts();
  const parts = prepareApp();
  await texts;
  startApp(document.getElementById('app')!, parts);
}

void start();
