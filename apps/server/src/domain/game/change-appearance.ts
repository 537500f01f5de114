import { AppError, foundOr } from '../../kit/app-error.ts';
import { sha256 } from '../../kit/seal.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import {
  type Appearance,
  type AppearanceForm,
  appearanceNote,
  checkAppearance,
  isUploaded,
  uploadedIconUrl,
} from './appearance.ts';
import { deleteIcon, lockAppearance, saveIcon, updateAppearance } from './game.sql.ts';
import { ICON_BYTES, ICON_SIDE, type IconProblem, makeIcon } from './icon/make-icon.ts';

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

const MESSAGES: Record<IconProblem, string> = {
  too_large: `Must have at most ${ICON_BYTES / 1024} KB.`,
  not_png: 'Must be a whole PNG picture. SVG and other formats are not taken.',
  interlaced: 'Must be a PNG without interlacing.',
  side: `Must be square, ${ICON_SIDE.least} to ${ICON_SIDE.most} pixels wide.`,
};

/** What a browser has cached under this address never changes: another picture has another address. */
const iconIdOf = (gameId: string, png: Buffer): string =>
  sha256(`${gameId} ${png.toString('base64')}`)
    .toString('hex')
    .slice(0, 32);

/** Takes the place of the icon's address, if there was one. */
export async function uploadIcon(shop: Shop, actor: Actor, gameId: string, base64: string): Promise<Appearance> {
  const made = await makeIcon(Buffer.from(base64, 'base64'));
  if ('problem' in made) {
    const issue = { pointer: '/png_base64', code: 'picture' as const, message: MESSAGES[made.problem] };
    throw new AppError('validation_failed', { issues: [issue] });
  }
  return shop.db.transaction(async tx => {
    const locked = await foundOr('game_not_found', lockAppearance(tx, gameId));
    const { companyId, appearance: before } = locked;
    const id = iconIdOf(gameId, made.png);
    const after = { ...before, iconUrl: uploadedIconUrl(id) };
    saveIcon(tx, { gameId, id, png: made.png });
    updateAppearance(tx, after);
    writeAudit(tx, actor, appearanceNote(companyId, before, after));
    return after;
  });
}
