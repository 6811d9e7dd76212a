export {
  createOrderPayments,
  OrderPayments,
  type OrderHealth,
  type SweepOptions,
} from '../orders/order-payments.js';
export { customerText } from '../orders/customer-text.js';
export { orderEventSchema } from '../orders/events.js';
export type { OrderPaymentsOptions, OrdersClient } from '../orders/options.js';
export { OrderError } from '../orders/order-error.js';
export type { Query } from '../orders/sql-storage.js';
export type { DriverFacts } from '../orders/database-errors.js';
export type { SweepResult } from '../orders/sweep.js';
export type { OrderInvoice } from '../orders/stored-request.js';
export { orderSchema } from '../orders/order-schema.js';
export { retryConflicts } from '../orders/retry-conflicts.js';
export type { Dialect } from '../orders/dialects.js';
export type { ListedOrder, OrderRow, OrderStorage, Position, StoredOrder } from '../orders/storage.js';
export type {
  Conclusion,
  EventResult,
  OrderChange,
  OrderEvent,
  OrderRequest,
  OrderView,
  ReviewItem,
} from '../orders/types.js';
export { ConfigurationError, ValidationError } from '../errors/errors.js';
