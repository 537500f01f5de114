import { useNavigate } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { addressOf } from '../../kit/address.ts';
import { call } from '../../kit/api.ts';
import { useHere } from '../../kit/session.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAct } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';

function EraseDialog({ playerId, onClose }: { playerId: string; onClose(): void }) {
  const scope = useEnv();
  const navigate = useNavigate();
  const erase = useAct(
    async () => {
      const params = { ...scope, player_id: playerId };
      await call('DELETE /dashboard/api/games/{game_id}/{mode}/players/{player_id}', { params });
      // First away from the page, because what is on the screen is read again.
      await navigate({ to: `/g/${scope.game_id}/${scope.mode}/players` });
    },
    { quiet: true, done: () => t('player.erased') },
  );
  return (
    <Confirm
      question={t('player.eraseAsk', { player: playerId })}
      action={t('player.erase')}
      busy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    >
      {t('player.eraseAbout')}
    </Confirm>
  );
}

/** What the law lets a player ask for: all that is known, and that it is forgotten. */
export function PlayerData({ playerId }: { playerId: string }) {
  const scope = useEnv();
  const { may } = useHere();
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
