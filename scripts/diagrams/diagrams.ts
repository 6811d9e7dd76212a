import type { SequenceDiagram } from './sequence-diagram.js';

const [backend, service, customer] = [0, 1, 2];

/** The diagrams of the guides by file, below `docs/diagrams`. `npm run diagrams` draws them. */
export const diagrams: Readonly<Record<string, SequenceDiagram>> = {
  'payment.svg': {
    title: 'A payment, from the order to the invoice',
    participants: ['your backend', 'the service', 'the customer'],
    messages: [
      { from: backend, to: service, text: 'initiatePayment' },
      { from: service, to: backend, text: 'paymentUrl' },
      { from: backend, to: customer, text: 'redirect to paymentUrl' },
      { from: customer, to: service, text: 'pays' },
      { from: service, to: backend, text: 'webhook' },
      { from: backend, to: service, text: 'uploadInvoice' },
    ],
  },
  'payment.vi.svg': {
    title: 'Một giao dịch, từ đơn hàng đến hoá đơn',
    participants: ['backend của bạn', 'dịch vụ', 'khách hàng'],
    messages: [
      { from: backend, to: service, text: 'initiatePayment' },
      { from: service, to: backend, text: 'paymentUrl' },
      { from: backend, to: customer, text: 'chuyển sang paymentUrl' },
      { from: customer, to: service, text: 'thanh toán' },
      { from: service, to: backend, text: 'webhook' },
      { from: backend, to: service, text: 'uploadInvoice' },
    ],
  },
};
