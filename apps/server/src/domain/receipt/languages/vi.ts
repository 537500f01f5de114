import type { ReceiptWords } from './receipt-words.ts';

export const vi: ReceiptWords = {
  direction: 'ltr',
  subject: 'Biên nhận của bạn từ {game}: {amount}',
  heading: 'Cảm ơn bạn đã mua hàng',
  total: 'Tổng cộng',
  order: 'Đơn hàng',
  payment: 'Thanh toán',
  paidWith: 'Phương thức thanh toán',
  date: 'Ngày',
  seller: 'Bên bán',
  free: 'Miễn phí',
  support: 'Bạn có câu hỏi về giao dịch này? Hãy liên hệ {seller} và cung cấp mã đơn hàng.',
  sandbox: 'Đây là giao dịch thử nghiệm. Không có tiền thật nào bị trừ.',
  automatic: 'Thư này được gửi tự động vì địa chỉ này đã được nhập khi thanh toán.',
};
