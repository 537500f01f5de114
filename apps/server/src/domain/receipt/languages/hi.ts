import type { ReceiptWords } from './receipt-words.ts';

export const hi: ReceiptWords = {
  direction: 'ltr',
  subject: '{game} से आपकी रसीद: {amount}',
  heading: 'आपकी ख़रीदारी के लिए धन्यवाद',
  total: 'कुल',
  order: 'ऑर्डर',
  payment: 'भुगतान',
  paidWith: 'भुगतान का तरीका',
  date: 'तारीख',
  seller: 'विक्रेता',
  free: 'मुफ़्त',
  support: 'इस ख़रीदारी के बारे में कोई सवाल है? {seller} से संपर्क करें और ऑर्डर नंबर बताएँ।',
  sandbox: 'यह एक परीक्षण था। कोई असली पैसा नहीं लिया गया।',
  automatic: 'यह संदेश अपने आप भेजा गया है, क्योंकि भुगतान के समय यह पता दर्ज किया गया था।',
};
