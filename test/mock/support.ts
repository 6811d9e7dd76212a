export * from '../helpers/signed-requests.js';
