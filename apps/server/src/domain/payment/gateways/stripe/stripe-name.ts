export const STRIPE = 'stripe';
