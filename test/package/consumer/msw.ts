// Apart from the other entries: the declarations of msw need the DOM's.
import { createMockService } from 'installment-payments/mock';
import { mswHandlers } from 'installment-payments/mock/msw';
import type { RequestHandler } from 'msw';

export const handlers: RequestHandler[] = mswHandlers(createMockService(), 'https://sandbox.example');
