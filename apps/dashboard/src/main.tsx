import './app.css';
import { loadTexts } from './texts/texts.ts';

/** Texts load first, because every component reads them. */
async function start(): Promise<void> {
  const [{ startApp }] = await Promise.all([import('./app.tsx'), loadTexts()]);
  startApp(document.getElementById('app')!);
}

void start();
