import type { AttentionMark } from '@coinslot/contract';
import { AlarmClock, AlarmClockOff, UserRoundCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { formatTime, memberName } from '../../kit/format.ts';
import { isAllowed } from '../../kit/permissions.ts';
import { issueOf, otherProblem } from '../../kit/problems.ts';
import { useCurrentGame, useSession } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/cells.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { lastSnoozeDay, snoozeDay, snoozeUntil } from './snooze.ts';

interface MarkChange {
  assignee_id?: string | null;
  snoozed_until?: number | null;
  note?: string;
}

/** A payment, a difference or a provider. */
interface Subject {
  subjectId: string;
  mark: AttentionMark | null;
}

function useMark(subjectId: string): (body: MarkChange) => Promise<AttentionMark> {
  const params = { ...useEnv(), subject_id: subjectId };
  return body => call('PATCH /dashboard/api/games/{game_id}/{mode}/attention/{subject_id}/mark', { params, body });
}

/** How many days ahead. */
const AHEAD = [1, 3, 7] as const;

function SnoozeDialog({ subjectId, onClose }: { subjectId: string; onClose(): void }) {
  const send = useMark(subjectId);
  const [day, setDay] = useState(() => snoozeDay(1, new Date()));
  const [note, setNote] = useState('');
  const [wasEmpty, setWasEmpty] = useState(false);
  const until = snoozeUntil(day);
  const snooze = useAction(() => send({ snoozed_until: until!, note: note.trim() }), {
    quiet: true,
    done: () => t('attention.snoozed', { time: formatTime(language, until!, Date.now() / 1_000) }),
    after: onClose,
  });
  const isEmpty = note.trim() === '' || until === null;
  return (
    <Dialog
      title={t('attention.snoozeAsk')}
      onClose={onClose}
      onSubmit={() => (isEmpty ? setWasEmpty(true) : snooze.mutate())}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={snooze.isPending}>
            {t('attention.snooze')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{t('attention.snoozeAbout')}</p>
        <TextField
          type="date"
          label={t('attention.snoozeUntil')}
          min={snoozeDay(1, new Date())}
          max={lastSnoozeDay(new Date())}
          value={day}
          error={wasEmpty && until === null ? t('attention.snoozeDay') : issueOf(snooze.error, '/snoozed_until')}
          onChange={({ target }) => setDay(target.value)}
        />
        <div className="flex flex-wrap gap-2">
          {AHEAD.map(days => (
            <Button key={days} size="small" onClick={() => setDay(snoozeDay(days, new Date()))}>
              {t('attention.inDays', { count: days })}
            </Button>
          ))}
        </div>
        <TextField
          label={t('attention.snoozeNote')}
          maxLength={500}
          value={note}
          error={wasEmpty && note.trim() === '' ? t('attention.snoozeNoteNeeded') : issueOf(snooze.error, '/note')}
          onChange={({ target }) => setNote(target.value)}
        />
        <FormProblem text={otherProblem(snooze.error, '/snoozed_until', '/note')} />
      </div>
    </Dialog>
  );
}

/** Chooses among the members who may act. */
function Assign({ subjectId, mark }: Subject) {
  const { company_id } = useCurrentGame();
  const { data: session } = useSession();
  const members = useRead('GET /dashboard/api/companies/{company_id}/members', { params: { company_id } });
  const send = useMark(subjectId);
  const assign = useAction((userId: string) => send({ assignee_id: userId === '' ? null : userId }), {
    done: ({ assignee }) =>
      assignee ? t('attention.assigned', { name: memberName(assignee) }) : t('attention.unassigned'),
  });
  const able = (members.data?.data ?? []).filter(({ role }) => isAllowed(role, 'actOnAttention'));
  const own = session?.user?.id;
  return (
    <select
      aria-label={t('attention.who')}
      value={mark?.assignee?.user_id ?? ''}
      disabled={assign.isPending || !members.data}
      onChange={({ target }) => assign.mutate(target.value)}
      className="h-8 max-w-[180px] min-w-0 truncate rounded-md border border-edge bg-surface px-2 text-ink touch-44"
    >
      <option value="">{t('attention.noOne')}</option>
      {able.map(member => (
        <option key={member.user_id} value={member.user_id}>
          {member.user_id === own ? t('attention.me', { name: memberName(member) }) : memberName(member)}
        </option>
      ))}
    </select>
  );
}

/** Says who is on it and until when it is snoozed. */
function MarkText({ mark }: { mark: AttentionMark | null }) {
  const { may } = useCurrentGame();
  if (!mark) return null;
  const { assignee, snoozed_until, note, snoozed_by } = mark;
  return (
    <>
      {assignee && !may('actOnAttention') && (
        <p className="flex items-center gap-1.5 text-soft">
          <UserRoundCheck size={14} aria-hidden className="shrink-0" />
          {t('attention.assigned', { name: memberName(assignee) })}
        </p>
      )}
      {snoozed_until !== null && (
        <p className="flex items-start gap-1.5 text-soft">
          <AlarmClock size={14} aria-hidden className="mt-0.5 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {t(mark.is_snoozed ? 'attention.snoozedUntil' : 'attention.wasSnoozed', { who: snoozed_by ?? '' })}{' '}
            <Time at={snoozed_until} />: {note}
          </span>
        </p>
      )}
    </>
  );
}

/** The assignment and the snooze, the same for every kind of entry. */
export function AttentionMarks({ subjectId, mark }: Subject) {
  const { may } = useCurrentGame();
  const [isSnoozing, setSnoozing] = useState(false);
  const send = useMark(subjectId);
  const wake = useAction(() => send({ snoozed_until: null }), { done: () => t('attention.unsnoozed') });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 text-12">
      <MarkText mark={mark} />
      {may('actOnAttention') && (
        <div className="flex flex-wrap items-center gap-2">
          <Assign subjectId={subjectId} mark={mark} />
          {mark?.is_snoozed ? (
            <Button
              look="quiet"
              size="small"
              icon={<AlarmClockOff size={14} aria-hidden />}
              busy={wake.isPending}
              data-snooze
              onClick={() => wake.mutate()}
            >
              {t('attention.unsnooze')}
            </Button>
          ) : (
            <Button
              look="quiet"
              size="small"
              icon={<AlarmClock size={14} aria-hidden />}
              data-snooze
              onClick={() => setSnoozing(true)}
            >
              {t('attention.snooze')}
            </Button>
          )}
        </div>
      )}
      {isSnoozing && <SnoozeDialog subjectId={subjectId} onClose={() => setSnoozing(false)} />}
    </div>
  );
}
