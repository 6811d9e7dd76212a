import { createHmac } from 'node:crypto';

/** The merchant of every contender. It is the demo merchant of the mock. */
export const merchant = {
  clientId: 'demo-client',
  secretKey: 'demo-secret',
  merchantId: 'DEMO-MERCHANT',
  storeId: 'STORE-01',
  platformId: 'BENCH',
};

function item(index: number) {
  return {
    productId: `SKU-${index}`,
    productName: 'Tủ lạnh hai cánh',
    category: 'appliance',
    currency: 'VND' as const,
    quantity: 1 + (index % 3),
    price: 1_000_000 + index,
    totalAmount: (1 + (index % 3)) * (1_000_000 + index),
  };
}

/** An order with some lines, complete in its form on the wire, so that no contender has to fill anything in. */
export function orderOf(lines: number, referenceId = 'ORDER-1') {
  const { merchantId, storeId, platformId } = merchant;
  return {
    merchantId,
    storeId,
    referenceId,
    platformId,
    requestType: 'installment' as const,
    paymentMethod: 'WEB' as const,
    description: 'Đơn hàng trả góp',
    successRedirectUrl: 'https://shop.example/paid',
    unSuccessRedirectUrl: 'https://shop.example/failed',
    amount: { value: 12_000_000, currency: 'VND' as const },
    items: Array.from({ length: lines }, (_, index) => item(index)),
    customer: { phoneNumber: '0912345678', email: 'lan@shop.example', firstName: 'Lan', lastName: 'Nguyễn' },
    shipping: {
      city: 'Hà Nội',
      district: 'Ba Đình',
      ward: 'Kim Mã',
      street: 'Kim Mã',
      houseNumber: '1',
      country: 'VN' as const,
    },
  };
}

/** The service's response to {@link orderOf}. */
export const approved = JSON.stringify({
  merchantId: merchant.merchantId,
  referenceId: 'ORDER-1',
  responseTime: '2026-11-21 09:00:00',
  resultStatus: 'APPROVED',
  resultMsg: 'Approved',
  paymentUrl: 'https://pay.example/p/1',
});

export function hmac(text: string, secretKey = merchant.secretKey): string {
  return createHmac('sha256', secretKey).update(text).digest('hex');
}

const vietnamMs = 7 * 60 * 60 * 1000;

/** The headers of an initiate request, for contenders without a client. */
export function headersFor(body: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Client-Id': merchant.clientId,
    'Request-Time': new Date(Date.now() + vietnamMs).toISOString().slice(0, 19).replace('T', ' '),
    Signature: hmac(body),
    'Idempotency-Key': 'ORDER-1-1',
    'User-Agent': 'bench',
  };
}
