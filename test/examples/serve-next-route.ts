/** Serves the routes of Next.js on PORT, and calls them as its server would. */
import { serve } from '@hono/node-server';
import * as route from '../../examples/next-route.js';
import { webhook } from '../../examples/webhooks/handler.js';

serve({
  port: Number(process.env['PORT']),
  overrideGlobalObjects: false,
  fetch(request) {
    const [, folder, reference = ''] = new URL(request.url).pathname.split('/');
    if (folder === 'webhooks') return webhook.fetch(request);
    const method = route[request.method as keyof typeof route];
    return method(request, { params: Promise.resolve({ reference: decodeURIComponent(reference) }) });
  },
});
