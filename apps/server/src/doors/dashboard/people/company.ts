import { dashboardEndpoints as calls } from '@coinslot/contract';
import { changeReceipts, renameCompany, requireSecondFactor } from '../../../domain/company/change-company.ts';
import { type CompanyFacts, findCompany } from '../../../domain/company/company.sql.ts';
import { readCompanyAudit } from '../../../domain/company/member.sql.ts';
import { changeSeller, sellerOf } from '../../../domain/company/seller.ts';
import { addGame, changeGameLink } from '../../../domain/game/add-game.ts';
import { type CompanyGame, listCompanyGames } from '../../../domain/game/game.sql.ts';
import { STORES } from '../../../domain/game/stores/stores.ts';
import { fromUnix, pageOf } from '../../../http/paging.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

const gameView = (game: CompanyGame) => ({
  ...onWire(game, 'id, name, icon_url, store, store_url, created_at'),
  store_label: STORES[game.store].label,
});

async function companyView({ db }: DashboardShop, company: CompanyFacts) {
  const games = await listCompanyGames(db, company.id);
  return {
    ...onWire(company, 'id, name, requires_second_factor, created_at'),
    seller: sellerOf(company),
    games: games.map(gameView),
  };
}

const receiptsView = ({ receiptSenderName, receiptReplyTo }: CompanyFacts) => ({
  sender_name: receiptSenderName,
  reply_to: receiptReplyTo,
});

function mountReceipts(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.getReceiptSettings, async ({ company }) => receiptsView(await findCompany(shop.db, company.id)));

  mount(calls.patchReceiptSettings, async ({ company, actor }, { body }) =>
    receiptsView(
      await changeReceipts(shop, actor, company.id, { senderName: body.sender_name, replyTo: body.reply_to }),
    ),
  );
}

const AUDITED = 'id, actor, user_id, kind, object_id, game_id, mode, before, after, ip, created_at';

function mountAudit(mount: DashboardMount, { db }: DashboardShop): void {
  mount(calls.listAudit, ({ company }, { query }) => {
    const filter = {
      userId: query.user_id ?? null,
      kind: query.kind ?? null,
      from: fromUnix(query.created_from),
      to: fromUnix(query.created_to),
    };
    return pageOf(
      query,
      'aud',
      (beforeId, limit) => readCompanyAudit(db, company.id, filter, { beforeId, limit }),
      entries => entries.map(entry => onWire(entry, AUDITED)),
    );
  });
}

export function mountCompany(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.getCompany, async ({ company }) => companyView(shop, await findCompany(shop.db, company.id)));

  mount(calls.patchCompany, async ({ company, actor }, { body }) => {
    if (body.requires_second_factor !== undefined) {
      await requireSecondFactor(shop, actor, company.id, body.requires_second_factor);
    }
    if (body.name !== undefined) await renameCompany(shop, actor, company.id, body.name);
    return companyView(shop, await findCompany(shop.db, company.id));
  });

  mount(calls.patchSeller, ({ company, actor }, { body }) => changeSeller(shop, actor, company.id, body));

  mount(calls.addGame, async ({ company, actor }, { body }) => {
    const form = { gameUrl: body.game_url, gameName: body.game_name };
    const { gameId, name, storeLink } = await addGame(shop, actor, company.id, form);
    return { id: gameId, name, store: storeLink.store, app_id: storeLink.appId };
  });

  mount(calls.changeGameLink, async ({ company, actor }, { params, body }) =>
    gameView(await changeGameLink(shop, actor, company.id, { gameId: params.game_id, gameUrl: body.game_url })),
  );

  mountReceipts(mount, shop);
  mountAudit(mount, shop);
}
