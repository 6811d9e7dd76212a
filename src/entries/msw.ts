export { mswHandlers } from '../mock/adapters/msw.js';
