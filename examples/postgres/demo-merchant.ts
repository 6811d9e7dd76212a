/** The variables of a worker that calls a mock. */
import { DEMO_MERCHANT } from 'installment-payments/mock';

export const variablesOf = (serviceUrl: string) => ({
  INSTALLMENT_BASE_URL: serviceUrl,
  INSTALLMENT_CLIENT_ID: DEMO_MERCHANT.clientId,
  INSTALLMENT_SECRET_KEY: DEMO_MERCHANT.secretKey,
  INSTALLMENT_MERCHANT_ID: DEMO_MERCHANT.merchantId,
  INSTALLMENT_STORE_ID: 'STORE-01',
  INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
});
