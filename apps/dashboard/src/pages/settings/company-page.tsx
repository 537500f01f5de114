import type { CompanyGame } from '@coinslot/contract';
import { ExternalLink, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { fieldProblem } from '../../kit/problems.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useAction, useRead } from '../../kit/use-read.ts';
import { AddGameDialog } from '../../shell/add-game-dialog.tsx';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { Check, TextField } from '../../ui/field.tsx';
import { GameTile } from '../../ui/images.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { SettingsForm, SettingsPage } from '../../ui/settings.tsx';
import { BudgetsSection } from './budgets-section.tsx';
import { SellerForm } from './seller-form.tsx';
import { SsoSection } from './sso-section.tsx';

function NameForm({ current }: { current: string }) {
  const { company_id, may } = useCurrentGame();
  const [name, setName] = useState(current);
  const save = useAction(
    () => call('PATCH /dashboard/api/companies/{company_id}', { params: { company_id }, body: { name: name.trim() } }),
    { quiet: true, done: answer => t('company.renamed', { name: answer.name }) },
  );
  const isLocked = !may('renameCompany');
  const isEmpty = name.trim() === '';
  const problem = fieldProblem(save.error, '/name');
  return (
    <SettingsForm
      isLocked={isLocked}
      busy={save.isPending}
      isSame={name.trim() === current}
      onSave={() => !isEmpty && save.mutate()}
    >
      <TextField
        label={t('register.company')}
        hint={isLocked ? t('company.ownersOnly') : undefined}
        autoComplete="organization"
        value={name}
        error={isEmpty ? t('issue.required') : problem}
        onChange={({ target }) => setName(target.value)}
      />
    </SettingsForm>
  );
}

function LinkDialog({ game, onClose }: { game: CompanyGame; onClose(): void }) {
  const { company_id } = useCurrentGame();
  const [url, setUrl] = useState(game.store_url);
  const change = useAction(
    () =>
      call('PATCH /dashboard/api/companies/{company_id}/games/{game_id}', {
        params: { company_id, game_id: game.id },
        body: { game_url: url.trim() },
      }),
    { quiet: true, done: () => t('company.linkChanged', { name: game.name }), after: onClose },
  );
  return (
    <Dialog
      title={t('company.linkTitle', { name: game.name })}
      onClose={onClose}
      onSubmit={() => change.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={change.isPending}>
            {t('dialog.save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-soft">{t('company.linkAbout')}</p>
        <TextField
          type="url"
          label={t('register.link')}
          hint={t('register.linkHint')}
          value={url}
          error={fieldProblem(change.error, '/game_url')}
          onChange={({ target }) => setUrl(target.value)}
        />
      </div>
    </Dialog>
  );
}

function GameRow({ game, onLink }: { game: CompanyGame; onLink(): void }) {
  const { may } = useCurrentGame();
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line py-4">
      <div className="flex min-w-0 flex-1 basis-64 items-center gap-3">
        <GameTile name={game.name} url={game.icon_url} />
        <div className="min-w-0">
          <p className="font-semibold">{game.name}</p>
          <a
            href={game.store_url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 text-link underline-offset-4 hover:underline"
          >
            {game.store_label}
            <ExternalLink size={14} aria-hidden />
          </a>
        </div>
      </div>
      {may('changeStoreLink') && (
        <div className="flex flex-wrap gap-2">
          <EnvLink to="settings/appearance" params={{ gameId: game.id }} className={buttonClass({ size: 'small' })}>
            {t('company.looks')}
          </EnvLink>
          <Button size="small" onClick={onLink}>
            {t('company.link')}
          </Button>
        </div>
      )}
    </li>
  );
}

function SecondFactorRule({ isRequired }: { isRequired: boolean }) {
  const { company_id } = useCurrentGame();
  const change = useAction(
    (requires_second_factor: boolean) =>
      call('PATCH /dashboard/api/companies/{company_id}', { params: { company_id }, body: { requires_second_factor } }),
    { done: () => t('secondFactor.saved') },
  );
  return (
    <Check
      label={t('secondFactor.require')}
      about={t('secondFactor.requireAbout')}
      checked={isRequired}
      disabled={change.isPending}
      onChange={({ target }) => change.mutate(target.checked)}
    />
  );
}

export function CompanyPage() {
  const { company_id, may } = useCurrentGame();
  const [linked, setLinked] = useState<CompanyGame | null>(null);
  const [isAdding, setAdding] = useState(false);
  const read = useRead('GET /dashboard/api/companies/{company_id}', { params: { company_id } });
  return (
    <SettingsPage title={t('nav.companyAndGames')} about={t('company.about')} read={read}>
      {company => (
        <>
          <Section title={t('company.title')}>
            <NameForm key={company.name} current={company.name} />
          </Section>
          <Section title={t('seller.title')} about={t('seller.about')}>
            <SellerForm key={JSON.stringify(company.seller)} seller={company.seller} companyName={company.name} />
          </Section>
          {may('renameCompany') && (
            <Section title={t('secondFactor.rule')} about={t('secondFactor.ruleAbout')}>
              <SecondFactorRule isRequired={company.requires_second_factor} />
            </Section>
          )}
          <Section
            title={t('company.games')}
            about={t('company.gamesAbout')}
            actions={
              may('addGame') && (
                <Button icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
                  {t('game.add')}
                </Button>
              )
            }
          >
            <ul className="border-t border-line">
              {company.games.map(game => (
                <GameRow key={game.id} game={game} onLink={() => setLinked(game)} />
              ))}
            </ul>
          </Section>
          {may('renameCompany') && <SsoSection />}
          <BudgetsSection />
          {linked && <LinkDialog game={linked} onClose={() => setLinked(null)} />}
          {isAdding && <AddGameDialog onClose={() => setAdding(false)} />}
        </>
      )}
    </SettingsPage>
  );
}
