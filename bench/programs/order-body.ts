export interface OrderBody {
  player_id: string;
  items: { sku: string; name: string; description?: string; quantity: number }[];
  price_decimal: number;
  currency: string;
  email: string;
  back_to_game_url: string;
  metadata: Record<string, string>;
}

/** What the bench buys: a body such as a game sends, with two items and a price. */
export const orderBody = (player: number): OrderBody => ({
  player_id: `player_${player}`,
  items: [
    { sku: 'crystals_500', name: '500 crystals', quantity: 1 },
    { sku: 'season_pass', name: 'Season pass', description: 'Everything until the end of the season', quantity: 1 },
  ],
  price_decimal: 9.99,
  currency: 'USD',
  email: `player_${player}@example.com`,
  back_to_game_url: 'mygame://shop/thanks?order={order_id}',
  metadata: { campaign: 'summer', level: '42' },
});
