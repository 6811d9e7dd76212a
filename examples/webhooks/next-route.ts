/**
 * A webhook with Next.js: this file is `app/webhooks/installments/route.ts`, with handler.ts beside it. It needs the Node.js
 * runtime, the default.
 */
import { webhook } from './handler.js';

export const POST = webhook.fetch;
