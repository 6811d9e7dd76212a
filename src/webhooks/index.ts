export { createWebhookHandler } from './create-webhook-handler.js';
export type { WebhookHandler, WebhookNodeResponse } from './create-webhook-handler.js';
export { verifyWebhook } from './verify-webhook.js';
export type { ReceivedWebhook } from './verify-webhook.js';
export type {
  VerifyWebhookOptions,
  WebhookContext,
  WebhookHandlerOptions,
  WebhookOrigin,
} from './webhook-options.js';
export type { WebhookNodeRequest } from './raw-body.js';
export type { SignatureEncoding } from '../protocol/signature.js';

// Errors
export { WebhookError } from './webhook-error.js';
export type { WebhookErrorCode } from './webhook-error.js';
export { ConfigurationError } from '../errors/errors.js';
