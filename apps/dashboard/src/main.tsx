import './app.css';
import { loadTexts } from './kit/texts.ts';

/** Texts first: everything that draws reads them. */
async function start(): Promise<void> {
  const [{ startApp }] = await Promise.all([import('./app.tsx'), loadTexts()]);
  startApp(document.getElementById('app')!);
}

void start();
