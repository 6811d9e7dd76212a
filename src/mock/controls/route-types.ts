import type { Hono } from 'hono/tiny';

/** What a route may know of the connection besides the request. */
export interface RouteBindings {
  /** The host that the server listens on; undefined where no socket is involved. */
  readonly boundHost?: string | undefined;
}

/** Routes of the mock's own pages and controls. */
export type Routes = Hono<{ Bindings: RouteBindings }>;
