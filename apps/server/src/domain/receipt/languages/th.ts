import type { ReceiptWords } from './receipt-words.ts';

export const th: ReceiptWords = {
  direction: 'ltr',
  subject: 'ใบเสร็จของคุณจาก {game}: {amount}',
  heading: 'ขอบคุณสำหรับการซื้อของคุณ',
  total: 'ยอดรวม',
  order: 'คำสั่งซื้อ',
  payment: 'การชำระเงิน',
  paidWith: 'ชำระด้วย',
  date: 'วันที่',
  seller: 'ขายโดย',
  free: 'ฟรี',
  support: 'มีคำถามเกี่ยวกับการซื้อนี้หรือไม่ ติดต่อ {seller} พร้อมแจ้งหมายเลขคำสั่งซื้อ',
  sandbox: 'นี่คือการทดสอบ ไม่มีการเรียกเก็บเงินจริง',
  automatic: 'ข้อความนี้ส่งโดยอัตโนมัติ เพราะมีการกรอกที่อยู่อีเมลนี้ตอนชำระเงิน',
};
