/** What the shop sells. */
export interface Offer {
  sku: string;
  name: string;
  description: string;
  price: number;
  currency: string;
  art: 'handful' | 'chest' | 'egg';
  /** Crystals per piece; 0 for other items. */
  crystals: number;
  /** The game declines it below this level. */
  level: number;
}

export const OFFERS: readonly Offer[] = [
  {
    sku: 'crystals_100',
    name: '100 crystals',
    description: 'A handful, still warm from the rock.',
    price: 0.99,
    currency: 'USD',
    art: 'handful',
    crystals: 100,
    level: 1,
  },
  {
    sku: 'crystals_1200',
    name: '1,200 crystals',
    description: 'A chest. Two miners and a mule carry it.',
    price: 4.99,
    currency: 'USD',
    art: 'chest',
    crystals: 1200,
    level: 1,
  },
  {
    sku: 'dragon_egg',
    name: 'Dragon egg',
    description: 'Hatches at level 3 and above. The shop sells it to every player.',
    price: 9.99,
    currency: 'USD',
    art: 'egg',
    crystals: 0,
    level: 3,
  },
];

export const offerOf = (sku: unknown): Offer | undefined => OFFERS.find(offer => offer.sku === sku);
