// This is separate from the other entries, because the declarations of msw need those of the DOM.
import { createMockService } from 'installment-payments/mock';
import { mswHandlers } from 'installment-payments/mock/msw';
import type { RequestHandler } from 'msw';

export const handlers: RequestHandler[] = mswHandlers(createMockService(), 'https://sandbox.example');
