import { type AccentColors, accentColors, escapeHtml } from '@coinslot/checkout-page';
import { type MailContent, type MailLook, oneLine, type RenderedMail } from './mail-content.ts';

const say = (text: string): string => escapeHtml(oneLine(text));

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',sans-serif";

/** A mail follows its reader's theme; a preview shows the one that was asked for. */
export type MailTheme = 'light' | 'dark' | 'reader';

const DARK_WHEN: Record<MailTheme, string> = {
  light: 'not all',
  dark: 'all',
  reader: '(prefers-color-scheme: dark)',
};

// Colors are inline for clients that drop style sheets; the sheet only turns them dark.
const darkRules = (theme: MailTheme, { accent, edged }: Accent): string => `
@media ${DARK_WHEN[theme]} {
  .page { background: #10131a !important; }
  .card { background: #1a1f2a !important; border-color: #2d3442 !important; }
  .ink { color: #f1f3f7 !important; }
  .soft { color: #a7b0c0 !important; }
  .line { border-color: #2d3442 !important; }
  .plate { background: #ffffff !important; padding: 6px 8px !important; }
  .band { border-top-color: ${edged.dark ? EDGE : accent} !important; }
  .button { border-color: ${edged.dark ? EDGE : accent} !important; }
}
@media (max-width: 480px) { .card { padding: 24px 20px !important; } .page { padding: 0 !important; } }`;

const INK = '#10131a';
/** Around a button or a band that can hardly be told from the card. */
const EDGE = '#7b8496';
const SOFT = '#566072';
const HAIRLINE = '#e3e6ec';
type Accent = Pick<AccentColors, 'accent' | 'ink' | 'edged'>;

/** Of a studio that chose no color. */
const OWN: Accent = {
  accent: '#2f5bea',
  ink: '#ffffff',
  edged: { light: false, dark: false },
};
const STRIPES = 'repeating-linear-gradient(135deg,#f2a900 0 10px,#10131a 10px 20px)';

function sandbox(note: string | null): string {
  return note === null
    ? ''
    : `<tr><td style="padding:0 0 24px"><div role="note" style="background-color:#f2a900;color:${INK};border-radius:8px;overflow:hidden;font-size:14px;line-height:20px"><div style="height:6px;line-height:6px;font-size:0;background-image:${STRIPES}">&nbsp;</div><div style="padding:10px 16px 12px"><strong>SANDBOX</strong> &nbsp;${say(note)}</div></div></td></tr>`;
}

function lines(content: MailContent, end: string): string {
  if (content.lines.length === 0 && !content.total) return '';
  const rows = content.lines.map(({ name, count, amount }) => {
    const pieces = count ? ` <span class="soft" style="color:${SOFT};white-space:nowrap">× ${say(count)}</span>` : '';
    return `<tr><td class="ink line" style="padding:12px 0;border-bottom:1px solid ${HAIRLINE};color:${INK};font-size:16px;line-height:24px;overflow-wrap:anywhere"><bdi>${say(name)}</bdi>${pieces}</td><td class="ink line" align="${end}" valign="top" style="padding:12px 0;padding-inline-start:16px;border-bottom:1px solid ${HAIRLINE};color:${INK};font-size:16px;line-height:24px;white-space:nowrap;font-variant-numeric:tabular-nums">${amount === null ? '' : say(amount)}</td></tr>`;
  });
  const total = content.total
    ? `<tr><td class="ink" style="padding:16px 0 0;color:${INK};font-size:20px;line-height:28px;font-weight:600">${say(content.total.label)}</td><td class="ink" align="${end}" valign="top" style="padding:16px 0 0;padding-inline-start:16px;color:${INK};font-size:20px;line-height:28px;font-weight:600;white-space:nowrap;font-variant-numeric:tabular-nums">${say(content.total.amount)}</td></tr>`
    : '';
  return `<tr><td style="padding:0 0 32px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${rows.join('')}${total}</table></td></tr>`;
}

function facts(content: MailContent): string {
  if (content.facts.length === 0) return '';
  const rows = content.facts.map(
    ({ label, value }) =>
      `<tr><td class="soft" valign="top" style="padding:4px 0;padding-inline-end:16px;color:${SOFT};font-size:14px;line-height:20px;white-space:nowrap">${say(label)}</td><td class="ink" style="padding:4px 0;color:${INK};font-size:14px;line-height:20px;overflow-wrap:anywhere" width="100%"><bdi>${say(value)}</bdi></td></tr>`,
  );
  return `<tr><td style="padding:0 0 24px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${rows.join('')}</table></td></tr>`;
}

const button = ({ link: one }: MailContent, { accent, ink, edged }: Accent): string =>
  one
    ? `<tr><td style="padding:8px 0 24px"><a class="button" href="${say(one.url)}" style="display:inline-block;background:${accent};color:${ink};border:1px solid ${edged.light ? EDGE : accent};border-radius:8px;padding:12px 20px;font-size:16px;line-height:24px;font-weight:600;text-decoration:none">${say(one.label)}</a></td></tr><tr><td class="soft" style="padding:0 0 24px;color:${SOFT};font-size:14px;line-height:20px;overflow-wrap:anywhere">${say(one.url)}</td></tr>`
    : '';

/** A client that loads no pictures shows the name alone. */
function head({ sender, look }: MailContent, end: string): string {
  const { iconUrl, logoUrl }: Pick<MailLook, 'iconUrl' | 'logoUrl'> = look ?? { iconUrl: null, logoUrl: null };
  const icon =
    iconUrl === null
      ? ''
      : `<td width="40" style="padding:0;padding-inline-end:12px"><img src="${say(iconUrl)}" alt="" width="40" height="40" style="display:block;width:40px;height:40px;border-radius:10px;object-fit:cover"></td>`;
  const logo =
    logoUrl === null
      ? ''
      : `<td align="${end}" style="padding:0;padding-inline-start:12px"><img class="plate" src="${say(logoUrl)}" alt="" height="32" style="height:32px;width:auto;max-width:140px;object-fit:contain;border-radius:6px"></td>`;
  const name = `<td class="soft" width="100%" style="padding:0;color:${SOFT};font-size:14px;line-height:20px;overflow-wrap:anywhere"><bdi>${say(sender)}</bdi></td>`;
  return `<tr><td style="padding:0 0 ${icon || logo ? 16 : 4}px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>${icon}${name}${logo}</tr></table></td></tr>`;
}

const sentences = (texts: string[], tone: 'ink' | 'soft', size: string): string =>
  texts
    .map(
      text =>
        `<tr><td class="${tone}" style="padding:0 0 12px;color:${tone === 'ink' ? INK : SOFT};${size};overflow-wrap:anywhere">${say(text)}</td></tr>`,
    )
    .join('');

/** One column of 560 px, light and dark, whole without its pictures. */
function renderHtml(content: MailContent, theme: MailTheme): string {
  const chosen = accentColors(content.look?.accentColor ?? null);
  const accent = chosen ?? OWN;
  const band = chosen === null ? '' : `border-top:4px solid ${chosen.edged.light ? EDGE : chosen.accent};`;
  const end = content.direction === 'rtl' ? 'left' : 'right';
  const start = content.direction === 'rtl' ? 'right' : 'left';
  return `<!doctype html>
<html lang="${content.language}" dir="${content.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${say(content.subject)}</title>
<style>:root { color-scheme: light dark; supported-color-schemes: light dark; }${darkRules(theme, accent)}
</style>
</head>
<body class="page" style="margin:0;padding:32px 16px;background:#f4f5f8;font-family:${FONT};-webkit-text-size-adjust:100%">
<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" border="0" dir="${content.direction}" style="max-width:560px;margin:0 auto"><tr><td class="${chosen === null ? 'card' : 'card band'}" style="background:#ffffff;border:1px solid ${HAIRLINE};${band}border-radius:12px;padding:32px;text-align:${start}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
${sandbox(content.sandboxNote)}
${head(content, end)}
<tr><td style="padding:0 0 20px"><h1 class="ink" style="margin:0;color:${INK};font-size:28px;line-height:36px;font-weight:600">${say(content.heading)}</h1></td></tr>
${sentences(content.paragraphs, 'ink', 'font-size:16px;line-height:24px')}
${content.lines.length === 0 ? button(content, accent) : ''}${lines(content, end)}
${facts(content)}
${content.lines.length > 0 ? button(content, accent) : ''}
${sentences(content.closing, 'soft', 'font-size:14px;line-height:20px')}
</table>
</td></tr></table>
</body>
</html>
`;
}

export const renderMail = (content: MailContent, theme: MailTheme = 'reader'): RenderedMail => ({
  subject: content.subject,
  text: renderText(content),
  html: renderHtml(content, theme),
});

const RULE = '-'.repeat(40);

const lineOf = ({ name, count, amount }: MailContent['lines'][number]): string =>
  [count ? `${oneLine(name)} × ${count}` : oneLine(name), amount].filter(part => part !== null).join('   ');

const linkOf = ({ link }: MailContent): string[] => (link ? [`${link.label}:`, link.url] : []);

/** Keeps text from outside on its own line, so that it cannot pose as another line of the mail. */
function renderText(content: MailContent): string {
  const total = content.total ? [RULE, `${content.total.label}: ${content.total.amount}`] : [];
  const blocks = [
    content.sandboxNote ? [`*** SANDBOX *** ${content.sandboxNote}`] : [],
    [oneLine(content.sender), content.heading],
    ...content.paragraphs.map(paragraph => [oneLine(paragraph)]),
    content.lines.length === 0 ? linkOf(content) : [],
    [...content.lines.map(lineOf), ...total],
    content.facts.map(({ label, value }) => `${label}: ${oneLine(value)}`),
    content.lines.length > 0 ? linkOf(content) : [],
    ...content.closing.map(sentence => [oneLine(sentence)]),
  ];
  return `${blocks
    .filter(block => block.length > 0)
    .map(block => block.join('\n'))
    .join('\n\n')}\n`;
}
