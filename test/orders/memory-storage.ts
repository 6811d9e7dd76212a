export { memoryStorage } from '../../examples/orders/memory-storage.js';
