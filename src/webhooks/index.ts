export { createWebhookHandler, type WebhookHandler } from './create-webhook-handler.js';
export { signWebhook, verifyWebhook } from './verify-webhook.js';
export type { WebhookHandlerOptions, WebhookRequest } from './webhook-options.js';
export { WebhookError } from './webhook-error.js';
