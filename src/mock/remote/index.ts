export { connectMock } from './connect-mock.js';
export { MockUsageError } from '../common/usage-error.js';
export type { RemoteMock } from './remote-types.js';
