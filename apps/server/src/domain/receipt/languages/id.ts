import type { ReceiptWords } from './receipt-words.ts';

export const id: ReceiptWords = {
  direction: 'ltr',
  subject: 'Tanda terima Anda dari {game}: {amount}',
  heading: 'Terima kasih atas pembelian Anda',
  total: 'Total',
  order: 'Pesanan',
  payment: 'Pembayaran',
  paidWith: 'Dibayar dengan',
  date: 'Tanggal',
  seller: 'Dijual oleh',
  free: 'Gratis',
  support: 'Ada pertanyaan tentang pembelian ini? Hubungi {seller} dan sebutkan nomor pesanan.',
  sandbox: 'Ini adalah uji coba. Tidak ada uang sungguhan yang ditagih.',
  automatic: 'Pesan ini dikirim otomatis karena alamat ini dimasukkan saat pembayaran.',
};
