export { connectMock } from './connect-mock.js';
export { MockUsageError } from '../../mock/common/usage-error.js';
export type { RemoteMock } from './remote-types.js';
