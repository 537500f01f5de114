import type { Player } from '@coinslot/contract';
import { useParams } from '@tanstack/react-router';
import { formatNumber } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Dash, Time } from '../../ui/cells.tsx';
import { CopyId } from '../../ui/code-block.tsx';
import { EnvLink } from '../../ui/env-link.tsx';
import { Figure, Figures } from '../../ui/figure.tsx';
import { Avatar } from '../../ui/images.tsx';
import { DataTable } from '../../ui/list/data-table.tsx';
import { LoadingOrProblem } from '../../ui/loading.tsx';
import { Fact, Facts, Page, Section } from '../../ui/page.tsx';
import { orderColumns } from '../orders/orders-page.tsx';
import { PaymentsTable } from '../transactions/payments-table.tsx';
import { PlayerData } from './player-data.tsx';

const PlayerFacts = ({ player }: { player: Player }) => (
  <Section title={t('transaction.facts')}>
    <Facts>
      <Fact name={t('column.player')}>
        <CopyId id={player.player_id} label={t('column.player')} />
      </Fact>
      <Fact name={t('column.email')}>{player.email ?? <Dash />}</Fact>
      <Fact name={t('column.firstSeen')}>
        <Time at={player.created_at} />
      </Fact>
      {Object.entries(player.attributes).map(([name, value]) => (
        <Fact key={name} name={name}>
          {String(value)}
        </Fact>
      ))}
    </Facts>
  </Section>
);

export function PlayerPage() {
  const scope = useEnv();
  const { playerId = '' } = useParams({ strict: false }) as { playerId?: string };
  const read = useRead('GET /dashboard/api/games/{game_id}/{mode}/players/{player_id}', {
    params: { ...scope, player_id: playerId },
  });
  if (read.isError || !read.data) return <LoadingOrProblem read={read} />;
  const { player, spent, declined, payments, orders } = read.data;
  const more = (to: string) => (
    <EnvLink to={to} search={{ player_id: player.player_id }}>
      {t('player.all')}
    </EnvLink>
  );
  return (
    <Page
      title={player.name ?? player.player_id}
      badge={<Avatar player={player} className="size-9" />}
      back={{ to: 'players', label: t('nav.players') }}
      actions={<PlayerData playerId={player.player_id} />}
    >
      <Figures>
        {spent.length === 0 && <Figure name={t('player.spent')}>–</Figure>}
        {spent.map(({ currency, amount, payments: count }) => (
          <Figure key={currency} name={t('player.spent')} note={t('player.payments', { count })}>
            {formatMoney(language, amount, currency)}
          </Figure>
        ))}
        <Figure name={t('player.declined')}>{formatNumber(language, declined)}</Figure>
      </Figures>
      <PlayerFacts player={player} />
      <Section title={t('nav.transactions')} actions={more('transactions')}>
        <PaymentsTable label={t('nav.transactions')} rows={payments} none={t('player.noPayments')} />
      </Section>
      <Section title={t('nav.orders')} actions={more('orders')}>
        <DataTable
          label={t('nav.orders')}
          columns={orderColumns().filter(({ id }) => id !== 'player')}
          rows={orders}
          idOf={row => row.order_id}
          linkOf={row => ({ to: 'orders/$orderId', params: { orderId: row.order_id } })}
          empty={<p className="text-soft">{t('player.noOrders')}</p>}
        />
      </Section>
    </Page>
  );
}
