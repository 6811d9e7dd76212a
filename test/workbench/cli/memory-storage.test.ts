import { memoryStorage } from '../../../src/workbench/cli/memory-storage.js';
import { storageContract } from '../../orders/storage.contract.js';

storageContract('the storage of the demo', memoryStorage);
