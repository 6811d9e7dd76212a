/** Documented fields of a payment request in the order of the specification's tables, required ones first. */
export const paymentFields: readonly string[] = [
  'merchantId',
  'storeId',
  'referenceId',
  'platformId',
  'requestType',
  'paymentMethod',
  'description',
  'successRedirectUrl',
  'unSuccessRedirectUrl',
  'amount',
  'items',
  'customer',
  'shipping',
  'lang',
  'extraData',
  'terminalType',
  'installment',
  'seller',
  'transExpiredTime',
  'sendSms',
  'sendEmail',
];

const customer = [
  'phoneNumber',
  'email',
  'firstName',
  'lastName',
  'rank',
  'description',
  'gender',
  'dateOfBirth',
];
const shipping = [
  'city',
  'district',
  'ward',
  'street',
  'houseNumber',
  'country',
  'zipCode',
  'streetNumber',
  'houseExtension',
];

const item = [
  'productId',
  'productName',
  'category',
  'currency',
  'quantity',
  'price',
  'totalAmount',
  'description',
  'imageUrl',
];

/** The same of the objects inside, by the name of the field that holds them. */
export const innerFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['amount', ['value', 'currency']],
  ['items', item],
  ['customer', customer],
  ['shipping', shipping],
  ['installment', ['packageId']],
  ['seller', ['id', 'email', 'name', 'address']],
]);
