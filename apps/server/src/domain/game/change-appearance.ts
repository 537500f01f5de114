import { AppError } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { lockAppearance, updateAppearance } from './appearance.sql.ts';
import { type Appearance, type AppearanceForm, appearanceNote, checkAppearance, isUploaded } from './appearance.ts';
import { deleteIcon } from './icon/icon.sql.ts';

/** Changes what is given and leaves the rest. The next page that is opened shows it. */
export async function changeAppearance(
  shop: Pick<Shop, 'db'>,
  actor: Actor | null,
  gameId: string,
  form: AppearanceForm,
): Promise<Appearance> {
  const checked = checkAppearance(form);
  if ('issues' in checked) throw new AppError('validation_failed', { issues: checked.issues });
  return shop.db.transaction(async tx => {
    const locked = await lockAppearance(tx, gameId);
    if (!locked) throw new AppError('not_found', { detail: `There is no game ${gameId}. List them: npm run game` });
    const { companyId, appearance: before } = locked;
    const after = { ...before, ...checked.change };
    updateAppearance(tx, after);
    if (isUploaded(before.iconUrl) && !isUploaded(after.iconUrl)) deleteIcon(tx, gameId);
    writeAudit(tx, actor, appearanceNote(companyId, before, after));
    return after;
  });
}
