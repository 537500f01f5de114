import type { Letter, RenderedMail } from './letter.ts';
import { renderHtml } from './render-html.ts';
import { renderText } from './render-text.ts';

export const renderMail = (letter: Letter): RenderedMail => ({
  subject: letter.subject,
  text: renderText(letter),
  html: renderHtml(letter),
});
