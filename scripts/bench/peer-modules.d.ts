// The names of the peers that the benchmarks use, so that the project typechecks even if they are not installed.

declare module 'stripe' {
  interface LineItem {
    quantity: number;
    price_data: {
      currency: string;
      unit_amount: number;
      product_data: { name: string; description: string };
    };
  }
  export default class Stripe {
    constructor(key: string, options: Record<string, unknown>);
    static createFetchHttpClient(): unknown;
    checkout: {
      sessions: {
        create(
          session: { mode: string; success_url: string; cancel_url: string; line_items: LineItem[] },
          options: { idempotencyKey: string },
        ): Promise<unknown>;
      };
    };
  }
}

declare module 'openai' {
  export default class OpenAI {
    constructor(options: { apiKey: string; baseURL: string });
    chat: {
      completions: {
        create(request: { model: string; messages: { role: string; content: string }[] }): Promise<unknown>;
      };
    };
  }
}

declare module '@payos/node' {
  export class PayOS {
    constructor(options: { clientId: string; apiKey: string; checksumKey: string; baseURL: string });
    paymentRequests: {
      create(request: {
        orderCode: number;
        amount: number;
        description: string;
        cancelUrl: string;
        returnUrl: string;
        items: { name: string; quantity: number; price: number }[];
      }): Promise<unknown>;
    };
  }
}
