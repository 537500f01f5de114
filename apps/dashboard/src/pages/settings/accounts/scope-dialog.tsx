import type { ProviderConnection, ProviderState } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../../kit/api.ts';
import { issueOf, problemText } from '../../../kit/problems.ts';
import { useCurrentGame } from '../../../kit/session.ts';
import { useAction } from '../../../kit/use-read.ts';
import { t } from '../../../texts/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Check, TextField } from '../../../ui/field.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { codesIn } from '../methods/rule-text.ts';
import { accountQuery } from './account-text.ts';

interface ScopeDialogProps {
  state: ProviderState;
  connection: ProviderConnection;
  onClose(): void;
}

/** Names an account and limits it to games and currencies. */
export function ScopeDialog({ state, connection, onClose }: ScopeDialogProps) {
  const { company_id, company } = useCurrentGame();
  const [label, setLabel] = useState(connection.label ?? '');
  const [currencies, setCurrencies] = useState(connection.currencies?.join(', ') ?? '');
  const [games, setGames] = useState<readonly string[]>(connection.games ?? []);
  const save = useAction(
    () =>
      call('PATCH /dashboard/api/companies/{company_id}/providers/{provider}', {
        params: { company_id, provider: state.provider },
        query: accountQuery(connection),
        body: { label: label.trim() || null, games: [...games], currencies: codesIn(currencies) },
      }),
    { quiet: true, done: () => t('provider.scopeSaved'), after: onClose },
  );
  const general = save.error && save.error.issues.length === 0 ? problemText(save.error) : undefined;
  return (
    <Dialog
      title={t('provider.scope')}
      onClose={onClose}
      onSubmit={() => save.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {t('dialog.save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{t('provider.scopeAbout')}</p>
        <TextField
          label={t('provider.label')}
          hint={t('provider.labelHint')}
          maxLength={60}
          value={label}
          error={issueOf(save.error, '/label') ?? general}
          onChange={({ target }) => setLabel(target.value)}
        />
        <TextField
          label={t('provider.scopeCurrencies')}
          hint={t('provider.scopeCurrenciesHint')}
          value={currencies}
          error={issueOf(save.error, '/currencies')}
          onChange={({ target }) => setCurrencies(target.value)}
        />
        {company.games.length > 1 && (
          <fieldset className="grid gap-2">
            <legend className="pb-1 font-medium">{t('provider.scopeGames')}</legend>
            <p className="text-12 text-soft">{t('provider.scopeGamesHint')}</p>
            {company.games.map(({ id, name }) => (
              <Check
                key={id}
                label={name}
                checked={games.includes(id)}
                onChange={({ target }) =>
                  setGames(target.checked ? [...games, id] : games.filter(chosen => chosen !== id))
                }
              />
            ))}
          </fieldset>
        )}
      </div>
    </Dialog>
  );
}
