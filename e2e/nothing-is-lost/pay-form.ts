export const payForm = (card: string): URLSearchParams =>
  new URLSearchParams({
    card_number: card,
    card_expiry: '12 / 40',
    card_cvc: '123',
    email: 'player@example.com',
    postal_code: '10115',
  });
