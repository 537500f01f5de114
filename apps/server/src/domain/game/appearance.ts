import type { Issue } from '@coinslot/contract';
import { isWebUrl } from '../../http/formats.ts';
import { onWire } from '../../kit/on-wire.ts';
import type { AuditNote } from '../audit/audit.ts';
import { nameIssue } from '../user/field-issues.ts';

export interface Appearance {
  gameId: string;
  name: string;
  /** The game's own picture, beside its name: an https address elsewhere, or the path of one that was uploaded. */
  iconUrl: string | null;
  /** The studio's. */
  logoUrl: string | null;
  /** `#rrggbb` in lower case. The page keeps the contrast, whatever stands here. */
  accentColor: string | null;
}

/** A missing field stays as it is; an empty text clears it. */
export interface AppearanceForm {
  name?: string | undefined;
  icon?: string | undefined;
  logo?: string | undefined;
  accent?: string | undefined;
}

export type AppearanceChange = Partial<Omit<Appearance, 'gameId'>>;

const UPLOADED = '/icons/';

export const uploadedIconUrl = (iconId: string): string => `${UPLOADED}${iconId}.png`;
export const isUploaded = (iconUrl: string | null): boolean => iconUrl?.startsWith(UPLOADED) ?? false;

const LONGEST_URL = 2_048;
const HEX = /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

type Read<T> = { value: T } | { issue: Issue };

function readPicture(text: string, pointer: string): Read<string | null> {
  const url = text.trim();
  if (url === '') return { value: null };
  if (url.length > LONGEST_URL) {
    return { issue: { pointer, code: 'too_long', message: `Must have at most ${LONGEST_URL} characters.` } };
  }
  // Not http: the page may be served over https, and then browsers leave such a picture out.
  if (isWebUrl(url) && new URL(url).protocol === 'https:') return { value: new URL(url).href };
  const message = "Must be the address of a picture that begins with https://, or '' for none.";
  return { issue: { pointer, code: 'format_web_url', message } };
}

function readColor(text: string): Read<string | null> {
  const color = text.trim().toLowerCase();
  if (color === '') return { value: null };
  if (!HEX.test(color)) {
    const message = "Must be a color such as '#3355ff', or '' for none. Quote it: the shell takes # for a comment.";
    return { issue: { pointer: '/accent', code: 'pattern', message } };
  }
  const digits = color.replace('#', '');
  return { value: `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}` };
}

function readName(text: string): Read<string> {
  const name = text.trim();
  const issue = nameIssue(name, '/name');
  return issue ? { issue } : { value: name };
}

/** The change, or everything that is wrong with it at once. */
export function checkAppearance(form: AppearanceForm): { change: AppearanceChange } | { issues: Issue[] } {
  const change: AppearanceChange = {};
  const issues: Issue[] = [];
  const take = <Field extends keyof AppearanceChange>(field: Field, read: Read<Appearance[Field]>): void => {
    if ('issue' in read) issues.push(read.issue);
    else Object.assign(change, { [field]: read.value });
  };
  if (form.name !== undefined) take('name', readName(form.name));
  if (form.icon !== undefined) take('iconUrl', readPicture(form.icon, '/icon'));
  if (form.logo !== undefined) take('logoUrl', readPicture(form.logo, '/logo'));
  if (form.accent !== undefined) take('accentColor', readColor(form.accent));
  return issues.length > 0 ? { issues } : { change };
}

/** As the dashboard and the audit log show it. */
export const appearanceFacts = (appearance: Appearance) => onWire(appearance, 'name, icon_url, logo_url, accent_color');

export const appearanceNote = (companyId: string, before: Appearance, after: Appearance): AuditNote => ({
  companyId,
  kind: 'appearance.changed',
  objectId: before.gameId,
  before: appearanceFacts(before),
  after: appearanceFacts(after),
});
