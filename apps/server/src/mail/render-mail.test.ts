import { contrast } from '@coinslot/checkout-page';
import { describe, expect, it } from 'vitest';
import { type MailContent, type MailLook, mailLook } from './mail-content.ts';
import { renderMail } from './render-mail.ts';

const content = (look?: Partial<MailLook>): MailContent => ({
  subject: 'Reset your password',
  language: 'en',
  direction: 'ltr',
  sender: 'Castle Quest',
  heading: 'Reset your password',
  ...(look && { look: { iconUrl: null, logoUrl: null, accentColor: null, ...look } }),
  sandboxNote: null,
  paragraphs: ['We received a request.'],
  link: { label: 'Set a new password', url: 'https://pay.example/dashboard/reset' },
  lines: [],
  total: null,
  facts: [],
  closing: [],
});

const BUTTON = /class="button"[^>]*background:(#[0-9a-f]{6});color:(#[0-9a-f]{6});border:1px solid (#[0-9a-f]{6})/;

/** Twelve hues at five depths, and the grays. */
function everyColor(): string[] {
  const parts = [0, 64, 128, 192, 255];
  const hex = (part: number): string => part.toString(16).padStart(2, '0');
  return parts.flatMap(red => parts.flatMap(green => parts.map(blue => `#${hex(red)}${hex(green)}${hex(blue)}`)));
}

describe('the look of a studio', () => {
  it('has a readable and visible button, whatever the color', () => {
    for (const accentColor of everyColor()) {
      const { html } = renderMail(content({ accentColor }));
      const [, background, ink, edge] = BUTTON.exec(html) ?? [];
      expect(background).toBe(accentColor);
      expect(contrast(ink!, background!)).toBeGreaterThanOrEqual(4.5);
      expect(Math.max(contrast(background!, '#ffffff'), contrast(edge!, '#ffffff'))).toBeGreaterThanOrEqual(1.6);
      const dark = /\.button \{ border-color: (#[0-9a-f]{6})/.exec(html)![1]!;
      expect(Math.max(contrast(background!, '#1a1f2a'), contrast(dark, '#1a1f2a'))).toBeGreaterThanOrEqual(1.45);
    }
  });

  it('is its icon and logo, by addresses that a mail program can open', () => {
    const look = { iconUrl: '/icons/ico_1.png', logoUrl: 'https://cdn.example/logo.svg', accentColor: null };
    const { html, text } = renderMail(content(mailLook('https://pay.example', look)));
    expect(html).toContain('<img src="https://pay.example/icons/ico_1.png" alt="" width="40" height="40"');
    expect(html).toContain('src="https://cdn.example/logo.svg"');
    expect(html).toContain('Castle Quest');
    expect(text).not.toContain('.png');
    expect(renderMail(content()).html).not.toContain('<img');
  });

  it('cannot bring tags or styles of its own', () => {
    const evil = '"><script>alert(1)</script>';
    const { html } = renderMail(content({ iconUrl: evil, logoUrl: evil, accentColor: `#fff;${evil}` }));
    expect(html).not.toContain('<script');
    expect(html).toContain('background:#2f5bea');
  });
});

it('a mail follows the theme of its reader, and a preview the one that was asked for', () => {
  expect(renderMail(content()).html).toContain('@media (prefers-color-scheme: dark)');
  expect(renderMail(content(), 'dark').html).toContain('@media all');
  expect(renderMail(content(), 'light').html).toContain('@media not all');
});
