import type { TimelineEntry } from '@coinslot/contract';
import { formatDuration } from '../../kit/format.ts';
import { language, t, tryText } from '../../texts/texts.ts';
import { statusText } from '../../ui/status.tsx';

export const isAttempt = ({ kind }: TimelineEntry): boolean => kind.endsWith('.attempt');

const isFinal = ({ kind }: TimelineEntry): boolean => kind.endsWith('.end');

export const wasAccepted = ({ status }: TimelineEntry): boolean =>
  /^2\d\d$/.test(status ?? '') || status === 'succeeded';

/** Leaves out a successful end, because the attempt before it already says so. */
export const isShown = (entry: TimelineEntry): boolean => !(isFinal(entry) && entry.status === 'succeeded');

export function titleOf(entry: TimelineEntry): string {
  if (entry.kind === 'person') {
    const what = tryText(`audit.${entry.action ?? ''}`) ?? entry.action ?? '';
    return `${entry.actor ?? t('timeline.formerMember')}: ${what}`;
  }
  if (isAttempt(entry)) {
    const key = `timeline.${entry.kind}.${wasAccepted(entry) ? 'yes' : 'no'}`;
    return (tryText(key) ?? entry.kind).replace('{attempt}', String(entry.attempt ?? 1));
  }
  if (isFinal(entry)) return tryText(`timeline.${entry.kind}.${entry.status ?? ''}`) ?? entry.kind;
  return tryText(`timeline.${entry.kind}`) ?? entry.kind;
}

/** Leaves out details that repeat the title in English. */
const addsDetail = ({ kind, status }: TimelineEntry, detail: string): boolean =>
  kind !== 'item.add' && detail !== `answered ${status}`;

export function aboutOf(entry: TimelineEntry): string[] {
  const parts: string[] = [];
  if (isAttempt(entry)) parts.push(entry.status ? `HTTP ${entry.status}` : t('timeline.noAnswer'));
  else if (entry.code) parts.push(entry.code);
  if (entry.detail && addsDetail(entry, entry.detail)) parts.push(entry.detail);
  if (entry.kind.startsWith('receipt') && entry.status) parts.push(statusText('other', entry.status));
  if (entry.duration_ms !== null) parts.push(formatDuration(language, entry.duration_ms));
  return parts;
}
