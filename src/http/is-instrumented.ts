import { nodeModules } from './node-modules.js';

/** True if OpenTelemetry's http instrumentation has wrapped Node's modules; it marks what it wraps. */
export function isHttpInstrumented(): boolean {
  const { http, https } = nodeModules();
  return [http.request, https.request].some((request) => '__wrapped' in request);
}
