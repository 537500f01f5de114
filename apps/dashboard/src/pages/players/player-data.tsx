import { useNavigate } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { addressOf } from '../../kit/address.ts';
import { call } from '../../kit/api.ts';
import { useCurrentGame } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';

function EraseDialog({ playerId, onClose }: { playerId: string; onClose(): void }) {
  const scope = useEnv();
  const navigate = useNavigate();
  const erase = useAction(
    async () => {
      const params = { ...scope, player_id: playerId };
      await call('DELETE /dashboard/api/games/{game_id}/{mode}/players/{player_id}', { params });
      // Leaves the page before the screen is refreshed, because the player no longer exists.
      await navigate({ to: `/g/${scope.game_id}/${scope.mode}/players` });
    },
    { quiet: true, done: () => t('player.erased') },
  );
  return (
    <ConfirmDialog
      question={t('player.eraseAsk', { player: playerId })}
      action={t('player.erase')}
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    >
      {t('player.eraseAbout')}
    </ConfirmDialog>
  );
}

/** Privacy law lets a player ask for a copy of all data and for its erasure. */
export function PlayerData({ playerId }: { playerId: string }) {
  const scope = useEnv();
  const { may } = useCurrentGame();
  const [isErasing, setErasing] = useState(false);
  const params = { ...scope, player_id: playerId };
  const file = addressOf('/dashboard/api/games/{game_id}/{mode}/players/{player_id}/export', { params });
  return (
    <>
      {may('exportPlayer') && (
        <a href={file} download={`${playerId}.json`} className={buttonClass()}>
          <Download size={16} aria-hidden />
          {t('player.export')}
        </a>
      )}
      {may('erasePlayer') && (
        <Button icon={<Trash2 size={16} aria-hidden />} onClick={() => setErasing(true)}>
          {t('player.erase')}
        </Button>
      )}
      {isErasing && <EraseDialog playerId={playerId} onClose={() => setErasing(false)} />}
    </>
  );
}
