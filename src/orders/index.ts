export { createOrderPayments, OrderPayments, type OrderHealth, type SweepOptions } from './order-payments.js';
export { customerText } from './customer-text.js';
export { orderEventSchema } from './events.js';
export type { OrderPaymentsOptions, OrdersClient } from './options.js';
export { OrderError } from './order-error.js';
export type { Query } from './sql-storage.js';
export type { DriverFacts } from './database-errors.js';
export type { SweepResult } from './sweep.js';
export type { OrderInvoice } from './stored-request.js';
export { orderSchema } from './order-schema.js';
export { retryConflicts } from './retry-conflicts.js';
export type { Dialect } from './dialects.js';
export type { ListedOrder, OrderRow, OrderStorage, Position, StoredOrder } from './storage.js';
export type {
  Conclusion,
  EventResult,
  OrderChange,
  OrderEvent,
  OrderRequest,
  OrderView,
  ReviewItem,
} from './types.js';
export { ConfigurationError, ValidationError } from '../errors/errors.js';
