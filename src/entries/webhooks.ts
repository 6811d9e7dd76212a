export { createWebhookHandler, type WebhookHandler } from '../webhooks/create-webhook-handler.js';
export { signWebhook, verifyWebhook } from '../webhooks/verify-webhook.js';
export type { WebhookHandlerOptions, WebhookRequest } from '../webhooks/webhook-options.js';
export { WebhookError } from '../webhooks/webhook-error.js';
