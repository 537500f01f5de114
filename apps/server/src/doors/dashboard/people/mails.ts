import { Readable } from 'node:stream';
import { dashboardEndpoints as calls } from '@coinslot/contract';
import { findCompany } from '../../../domain/company/company.sql.ts';
import { sellerOf } from '../../../domain/company/seller.ts';
import { findAppearance, listCompanyGames } from '../../../domain/game/game.sql.ts';
import { listSentMails, sampleMail } from '../../../domain/notification/sample-mails.ts';
import { AppError } from '../../../kit/app-error.ts';
import { renderMail } from '../../../mail/render-mail.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

/** A mail has its styles in its tags. Shown in a frame of ours, and able to do nothing there. */
const previewPolicy = (publicUrl: string): string =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' ${new URL(publicUrl).origin} https: data:; frame-ancestors 'self'; sandbox`;

export function mountMails(mount: DashboardMount, shop: DashboardShop): void {
  const { db, publicUrl, clock } = shop;
  mount(calls.listMails, () => Promise.resolve({ data: listSentMails() }));

  mount(calls.previewMail, async ({ company }, { query, setHeader }) => {
    const games = await listCompanyGames(db, company.id);
    const game = query.game_id === undefined ? games[0] : games.find(({ id }) => id === query.game_id);
    const appearance = game && (await findAppearance(db, game.id));
    if (!appearance) throw new AppError('game_not_found');
    const content = sampleMail(query.mail ?? 'receipt', {
      publicUrl,
      company: { name: company.name, seller: sellerOf(await findCompany(db, company.id)) },
      game: appearance,
      locale: query.locale ?? null,
      now: new Date(clock.nowMs()),
    });
    setHeader('content-security-policy', previewPolicy(publicUrl));
    setHeader('x-content-type-options', 'nosniff');
    return Readable.from([renderMail(content, query.theme ?? 'reader').html]);
  });
}
