import { Readable } from 'node:stream';
import { languageOf, renderPreview } from '@coinslot/checkout-page';
import { dashboardEndpoints as calls } from '@coinslot/contract';
import { findCompany } from '../../../domain/company/company.sql.ts';
import { sellerFacts, sellerOf } from '../../../domain/company/seller.ts';
import {
  type Appearance,
  type AppearanceForm,
  appearanceFacts,
  checkAppearance,
} from '../../../domain/game/appearance.ts';
import { changeAppearance, uploadIcon } from '../../../domain/game/change-appearance.ts';
import { findAppearance } from '../../../domain/game/game.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import { formatMoney } from '../../../kit/format.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

const SAMPLE = { minor: 499, currency: 'USD' };

const NAMES_OF_FIELDS: Record<string, string> = {
  '/icon': '/icon_url',
  '/logo': '/logo_url',
  '/accent': '/accent_color',
};

/** The rule names the fields as the command does. */
function renamed(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.issues) return error;
  const issues = error.issues.map(issue => ({ ...issue, pointer: NAMES_OF_FIELDS[issue.pointer] ?? issue.pointer }));
  return new AppError(error.code, { issues });
}

/** Null clears a field, as an empty text does for the command. */
const asText = (given: string | null | undefined): string | undefined => (given === null ? '' : given);

/** The look for a preview: a field whose text is not right yet keeps what was saved. */
function previewed(saved: Appearance, form: AppearanceForm): Appearance {
  let shown = saved;
  for (const [field, text] of Object.entries(form)) {
    const checked = checkAppearance({ [field]: text });
    if ('change' in checked) shown = { ...shown, ...checked.change };
  }
  return shown;
}

function mountPreview(mount: DashboardMount, { db }: DashboardShop): void {
  mount(calls.previewAppearance, async ({ environment, company }, { query, setHeader }) => {
    const [saved, owner] = await Promise.all([findAppearance(db, environment.gameId), findCompany(db, company.id)]);
    const form = { name: query.name, icon: query.icon_url, logo: query.logo_url, accent: query.accent_color };
    const { name, iconUrl, logoUrl, accentColor } = previewed(saved!, form);
    const language = languageOf(query.locale ?? '') ?? 'en';
    const { html, headers } = renderPreview(query.state ?? 'ready', {
      language,
      total: formatMoney(SAMPLE.minor, SAMPLE.currency, language),
      theme: query.theme ?? 'light',
      gameName: name,
      gameIconUrl: iconUrl,
      logoUrl,
      accentColor,
      seller: sellerFacts(sellerOf(owner), owner.name, language),
    });
    for (const [header, value] of Object.entries(headers)) setHeader(header, value);
    return Readable.from([html]);
  });
}

export function mountAppearance(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.getAppearance, async ({ environment }) => {
    const appearance = await findAppearance(shop.db, environment.gameId);
    return appearanceFacts(appearance!);
  });

  mount(calls.patchAppearance, async ({ environment, actor }, { body }) => {
    const form = {
      name: body.name,
      icon: asText(body.icon_url),
      logo: asText(body.logo_url),
      accent: asText(body.accent_color),
    };
    const changed = await changeAppearance(shop, actor, environment.gameId, form).catch((error: unknown) => {
      throw renamed(error);
    });
    return appearanceFacts(changed);
  });

  mount(calls.putIcon, async ({ environment, actor }, { body }) =>
    appearanceFacts(await uploadIcon(shop, actor, environment.gameId, body.png_base64)),
  );

  mountPreview(mount, shop);
}
