export const orderExample = (base: string): string => `curl ${base}/s2s/v1/orders \\
  -H "Authorization: Bearer $S2S_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"player_id":"player-1","items":[{"sku":"sword"}]}'`;
