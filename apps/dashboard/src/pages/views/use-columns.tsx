import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Columns3 } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { type AnswerOf, call } from '../../kit/api.ts';
import { notifyProblem } from '../../kit/messages.ts';
import type { Problem } from '../../kit/problems.ts';
import { useEnv } from '../../kit/use-env.ts';
import { t } from '../../texts/texts.ts';
import { IconButton } from '../../ui/button.tsx';
import type { Column } from '../../ui/list/data-table.tsx';
import { Menu, MenuChoice, MenuTitle } from '../../ui/overlay/menu.tsx';
import { VIEWS_ROUTE, type Views } from './use-view.ts';

interface Known {
  id: string;
  extra?: boolean;
}

/** The ids of the columns to show, as they were chosen. Until then, all but the extra ones. */
export function shownColumns(chosen: string | null, all: readonly Known[]): readonly string[] {
  const ids = all.map(({ id }) => id);
  if (chosen === null) return all.filter(({ extra }) => !extra).map(({ id }) => id);
  const wanted = chosen.split(',');
  return ids.filter(id => wanted.includes(id));
}

/** In the order of the list, so that a column comes back to its place. */
export const toggleColumn = (shown: readonly string[], id: string, all: readonly Known[]): readonly string[] =>
  all.map(one => one.id).filter(one => shown.includes(one) !== (one === id));

type Answer = AnswerOf<typeof VIEWS_ROUTE>;

/** The choice as the server will answer it, so that a column comes and goes with the click. */
export const withColumns = (answer: Answer, { list, viewId, columns }: Choice): Answer =>
  viewId === undefined
    ? { ...answer, columns: [...answer.columns.filter(one => one.list !== list), { list, columns }] }
    : { ...answer, data: answer.data.map(view => (view.id === viewId ? { ...view, columns } : view)) };

interface Choice {
  list: Views['list'];
  viewId: string | undefined;
  columns: string;
}

/** Choices are saved one after the other, so that the last one stays. */
function useChoose(): (choice: Choice) => void {
  const params = useEnv();
  const queries = useQueryClient();
  const key = [VIEWS_ROUTE, { params }];
  const { mutate } = useMutation<Answer, Problem, Choice>({
    scope: { id: 'columns' },
    mutationFn: ({ list, viewId, columns }) =>
      call('PUT /dashboard/api/games/{game_id}/{mode}/columns', {
        params,
        body: { list, columns, ...(viewId !== undefined && { view_id: viewId }) },
      }),
    onMutate: async choice => {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData<Answer>(key, before => before && withColumns(before, choice));
    },
    onError: problem => {
      notifyProblem(problem);
      void queries.invalidateQueries({ queryKey: key });
    },
  });
  return mutate;
}

/** What this browser saw last, shown until the server has answered. */
const seenKey = ({ list, openId }: Views): string => `coinslot.shown.${list}${openId ? `.${openId}` : ''}`;

/** Which columns the member chose for the list, and for each of its views. The choice is kept with the member. */
export function useColumns<Row>(all: readonly Column<Row>[], views: Views): [readonly Column<Row>[], ReactNode] {
  const { list, open, chosen, isRead } = views;
  const key = seenKey(views);
  const kept = isRead ? (open?.columns ?? chosen) : localStorage.getItem(key);
  useEffect(() => {
    if (isRead && kept !== null) localStorage.setItem(key, kept);
  }, [isRead, kept, key]);
  const shown = shownColumns(kept, all);
  const choose = useChoose();
  const toggle = (id: string): void =>
    choose({ list, viewId: open?.id, columns: toggleColumn(shown, id, all).join(',') });
  const chooser = (
    <span className="max-md:hidden">
      <Menu trigger={<IconButton label={t('views.columns')} icon={<Columns3 size={16} />} disabled={!isRead} />}>
        <MenuTitle>{t('views.columns')}</MenuTitle>
        {all
          .filter(({ lead }) => !lead)
          .map(({ id, title }) => (
            <MenuChoice key={id} stay chosen={shown.includes(id)} onSelect={() => toggle(id)}>
              {title}
            </MenuChoice>
          ))}
      </Menu>
    </span>
  );
  return [all.filter(({ id, lead }) => lead || shown.includes(id)), chooser];
}
