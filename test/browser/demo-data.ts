import { InstallmentClient, type PaymentRequest } from 'installment-payments';
import { LenderClient } from 'installment-payments/lender';
import { DEMO_MERCHANT, type MockService } from 'installment-payments/mock';
import { initiate, order, pdf, upload } from '../helpers/signed-requests.js';

/** An order of several lines, as a shop would send it. */
const demoOrder = {
  referenceId: 'ORDER:2026-0001',
  paymentMethod: 'WEB',
  description: 'Đồ gia dụng cho bếp mới',
  lang: 'en',
  successRedirectUrl: 'https://shop.example/paid',
  unSuccessRedirectUrl: 'https://shop.example/not-paid',
  amount: { value: 18_470_000 },
  items: [
    {
      productId: 'TL-2',
      productName: 'Tủ lạnh hai cánh 320 lít',
      category: 'appliance',
      quantity: 1,
      price: 12_000_000,
      description: 'Inverter, ngăn đông mềm',
    },
    { productId: 'NC-7', productName: 'Nồi cơm điện', category: 'appliance', quantity: 2, price: 1_490_000 },
    { productId: 'BT-1', productName: 'Bếp từ đôi', category: 'appliance', quantity: 1, price: 3_490_000 },
  ],
  customer: { phoneNumber: '0912345678', email: 'an@example.com', firstName: 'An', lastName: 'Nguyễn' },
  shipping: { city: 'Hà Nội', district: 'Ba Đình', ward: 'Kim Mã', street: 'Phố Kim Mã', houseNumber: '12A' },
  installment: { packageId: 'PKG-6M' },
  transExpiredTime: 15 * 60_000,
} satisfies PaymentRequest;

/** A mock with records of every kind. */
export async function fillWithDemoData(mock: MockService, baseUrl: string): Promise<void> {
  const { storeIds, ...credentials } = DEMO_MERCHANT;
  const client = new InstallmentClient({
    ...credentials,
    storeId: storeIds[0],
    platformId: 'WEBSHOP',
    baseUrl,
    maxRetries: 1,
  });
  const pay = (changes: Partial<PaymentRequest> = {}) => client.initiatePayment({ ...demoOrder, ...changes });
  await pay();
  await pay();
  await pay({ referenceId: 'ORDER:2026-0002', description: 'Máy giặt 9 kg', lang: 'vi' });
  mock.settle('ORDER:2026-0002', 'paid');
  await client.uploadInvoice({
    referenceId: 'ORDER:2026-0002',
    invoiceNumber: 'INV-1',
    invoiceDate: new Date(),
    file: { data: pdf, filename: 'hoa-don.pdf' },
  });
  await pay({ referenceId: 'ORDER:2026-0003' });
  mock.settle('ORDER:2026-0003', 'declined');
  mock.injectFault('initiatePayment', 'html-502');
  await pay({ referenceId: 'ORDER:2026-0004' });
  const { path, init } = initiate(JSON.stringify(order({ referenceId: 'ORDER:2026-0005' })));
  await fetch(baseUrl + path, {
    ...init,
    body: JSON.stringify(order({ referenceId: 'ORDER:2026-0005' }), null, 2),
  });
  const unsigned = upload({
    fields: { storeId: 'STORE-01', description: 'Hoá đơn điện tử' },
    signature: 'f'.repeat(64),
  });
  await fetch(baseUrl + unsigned.path, unsigned.init);
  await lend(baseUrl);
}

async function lend(baseUrl: string): Promise<void> {
  const lender = new LenderClient({ baseUrl, lenderCode: 'LENDER-01', serviceApplicationId: 'APP-01' });
  const receipt = (code: string, receivedAmount: number, contractNumber = 'CONTRACT-1') =>
    lender.notifyPaymentReceipt({
      contractNumber,
      lenderTransactionCode: code,
      receivedAmount,
      receivedDatetime: new Date(),
      receivedStatus: 'SUCCESS',
    });
  const allocate = (code: string, number: number, principal: number, fee: number, penalty: number) =>
    lender.notifyRepaymentAllocation({
      contractNumber: 'CONTRACT-1',
      repaymentType: 'NORMAL',
      repaymentTransactions: [
        {
          lenderTransactionCode: code,
          allocationDatetime: new Date(),
          installmentNumber: number,
          allocatedPrincipal: principal,
          allocatedServiceFee: fee,
          allocatedPenalty: penalty,
        },
      ],
    });
  await receipt('LTC-1', 3_200_000);
  await allocate('LTC-1', 1, 2_900_000, 250_000, 50_000);
  await receipt('LTC-2', 3_150_000);
  await allocate('LTC-2', 2, 2_000_000, 250_000, 0);
  await receipt('LTC-3', 500_000);
  await lender.notifyPaymentReceipt({
    contractNumber: 'CONTRACT-1',
    lenderTransactionCode: 'LTC-3',
    receivedAmount: 500_000,
    receivedDatetime: new Date(),
    receivedStatus: 'REVERSED',
    reversalReason: 'Chuyển nhầm tài khoản',
  });
  await allocate('LTC-9', 3, 400_000, 0, 0);
  await receipt('LTC-20', 1_000_000, 'CONTRACT-2');
}
