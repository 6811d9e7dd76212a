/**
 * Shapes of the initiate operation (specification: Payment request, Payment response).
 * What a developer types stands beside what goes over the wire; the schemas in `payment.ts` lead from one to the other.
 */

/** One line of the order. */
export interface PaymentItem {
  /** Item ID of the merchant. */
  productId: string;
  /** Name of the item, as the customer knows it. */
  productName: string;
  /** Category of the item, in the merchant's own words. */
  category: string;
  /** The one legal value, filled in when left out. @default 'VND' */
  currency?: 'VND' | undefined;
  /** A whole number greater than 0. */
  quantity: number;
  /** Price of a single unit in VND; finite, not negative. */
  price: number;
  /** `price` x `quantity`, exact as decimals (3 x 0.1 is 0.3). @default price x quantity */
  totalAmount?: number | undefined;
  /** More about the item. */
  description?: string | undefined;
  /** URL of a picture of the product. */
  imageUrl?: string | undefined;
}

/** The customer who pays. */
export interface PaymentCustomer {
  /** Mobile number: digits with an optional leading `+`, usually 10 or 11 of them; the service judges the length. */
  phoneNumber: string;
  /** A valid e-mail address. */
  email: string;
  /** First name (tên). */
  firstName: string;
  /** Last name (họ). */
  lastName: string;
  /** The merchant's own customer segment. */
  rank?: string | undefined;
  /** More about the customer. */
  description?: string | undefined;
  /** Male, female or unknown. */
  gender?: 'M' | 'F' | 'U' | undefined;
  /** `DD-MM-YYYY`, a real calendar day. */
  dateOfBirth?: string | undefined;
}

/** Where the order is shipped to. */
export interface PaymentShipping {
  /** City or province (tỉnh, thành phố). */
  city: string;
  /** District (quận, huyện). */
  district: string;
  /** Ward or commune (phường, xã). */
  ward: string;
  /** Street. */
  street: string;
  /** Number of the house. */
  houseNumber: string;
  /** The one legal value, filled in when left out. @default 'VN' */
  country?: 'VN' | undefined;
  /** ZIP code. */
  zipCode?: string | undefined;
  /** Number of the street, where streets have one. */
  streetNumber?: string | undefined;
  /** What follows the house number: a block, a floor, a letter. */
  houseExtension?: string | undefined;
}

/** The seller, where the merchant is a marketplace. */
export interface PaymentSeller {
  /** Seller ID of the merchant. */
  id: string;
  /** E-mail address of the seller. */
  email?: string | undefined;
  /** Name of the seller. */
  name?: string | undefined;
  /** Address of the seller. */
  address?: string | undefined;
}

/** The amount to pay. */
export interface PaymentAmount {
  /** In the minor unit of VND, which has no decimals: a positive whole number. */
  value: number;
  /** The one legal value, filled in when left out. @default 'VND' */
  currency?: 'VND' | undefined;
}

/**
 * What `initiatePayment` takes (specification: Payment request). A field that has one legal value may be left out;
 * a field that the specification does not know is refused.
 *
 * @example
 * ```ts
 * import type { PaymentRequest } from 'installment-payments';
 *
 * const request: PaymentRequest = {
 *   referenceId: 'ORDER:2026-0001',
 *   paymentMethod: 'WEB',
 *   description: 'Tủ lạnh hai cánh',
 *   successRedirectUrl: 'https://shop.example/paid',
 *   unSuccessRedirectUrl: 'https://shop.example/not-paid',
 *   amount: { value: 12_000_000 },
 *   items: [{ productId: 'SKU-1', productName: 'Tủ lạnh', category: 'appliance', quantity: 1, price: 12_000_000 }],
 *   customer: { phoneNumber: '0912345678', email: 'an@example.com', firstName: 'An', lastName: 'Nguyễn' },
 *   shipping: { city: 'Hà Nội', district: 'Ba Đình', ward: 'Kim Mã', street: 'Kim Mã', houseNumber: '12' },
 * };
 * ```
 */
export interface PaymentRequest {
  /** Merchant ID issued by the service. @default the client's `merchantId` */
  merchantId?: string | undefined;
  /** Store that processes the payment. @default the client's `storeId` */
  storeId?: string | undefined;
  /** The merchant's own unique reference: 1 to 60 of digits, letters, `_`, `:` and `-`. */
  referenceId: string;
  /** Platform or third party that processes the order. @default the client's `platformId` */
  platformId?: string | undefined;
  /** The one legal value, filled in when left out. @default 'installment' */
  requestType?: 'installment' | undefined;
  /** Where the customer pays: in an app, at a point of sale, on the web. */
  paymentMethod: 'APP' | 'POS' | 'WEB';
  /** Description of the order. */
  description: string;
  /** Where the customer goes after paying: an absolute URL, a deep link into an app included. */
  successRedirectUrl: string;
  /** Where the customer goes after a payment that did not succeed. */
  unSuccessRedirectUrl: string;
  /** What the customer has to pay. */
  amount: PaymentAmount;
  /** 1 to 200 lines. */
  items: readonly PaymentItem[];
  /** Who pays. */
  customer: PaymentCustomer;
  /** Where the order goes. */
  shipping: PaymentShipping;
  /** Language of the service's pages. The service takes `en` when it is left out. */
  lang?: 'vi' | 'en' | undefined;
  /** Anything the merchant wants to find again. */
  extraData?: string | undefined;
  /** What the customer holds in hand. */
  terminalType?: 'DESKTOP_BROWSER' | 'MOBILE_BROWSER' | 'MOBILE_APP' | undefined;
  /** The installment package, where the merchant chooses it. */
  installment?:
    | {
        /** ID of the package. */
        packageId: string;
      }
    | undefined;
  /** Who sells, where the merchant is a marketplace. */
  seller?: PaymentSeller | undefined;
  /** How long the customer may take to pay, in milliseconds: a positive whole number. */
  transExpiredTime?: number | undefined;
  /** Whether the service sends the customer an SMS. */
  sendSms?: boolean | undefined;
  /** Whether the service sends the customer an e-mail. */
  sendEmail?: boolean | undefined;
}

/** A payment request whose three defaults are in place: what {@link paymentRequestSchema} takes. */
export type CompletePaymentRequest = Omit<PaymentRequest, ClientDefault> & Record<ClientDefault, string>;

/** The fields that a client can hold defaults for. */
export type ClientDefault = 'merchantId' | 'storeId' | 'platformId';

type Filled<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: Exclude<T[P], undefined> };

/** The body of an initiate request as it goes over the wire. */
export type PaymentRequestWire = Filled<
  Omit<CompletePaymentRequest, 'amount' | 'items' | 'shipping'>,
  'requestType'
> & {
  /** What the customer has to pay, its currency filled in. */
  amount: Filled<PaymentAmount, 'currency'>;
  /** 1 to 200 lines, their currency and totals filled in. */
  items: Filled<PaymentItem, 'currency' | 'totalAmount'>[];
  /** Where the order goes, its country filled in. */
  shipping: Filled<PaymentShipping, 'country'>;
};

/** What the service answers an approved initiate request (specification: Payment response). */
export interface Payment {
  /** The `merchantId` that was sent. */
  merchantId: string;
  /** The `referenceId` that was sent: an answer for another one is an error. */
  referenceId: string;
  /** `YYYY-MM-DD hh:mm:ss`. */
  responseTime: string;
  /** The one status of success; every other one is an error. */
  resultStatus: 'APPROVED';
  /** The service's own text. */
  resultMsg: string;
  /** Where to send the customer. */
  paymentUrl: string;
  /** The content of a QR code that leads to the same payment. */
  qrData?: string;
  /** Fields that the specification does not know are kept. */
  [field: string]: unknown;
}
