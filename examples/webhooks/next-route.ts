/**
 * A webhook with Next.js: this file is `app/webhooks/installments/route.ts`, with handler.ts beside it. Remove `.js`
 * from the import there: Next.js does not look for a `.ts` file under that name. The Node.js runtime is the default,
 * and is required.
 */
import { webhook } from './handler.js';

export const POST = webhook.fetch;
