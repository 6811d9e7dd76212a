import type { Hono } from 'hono/tiny';

/** The facts of a request that only the server knows. */
export interface RouteBindings {
  /** The URL that the pages name: `publicUrl`, or the one under which the mock was reached. */
  readonly baseUrl: string;
  /** The host that the server listens on; undefined without a socket. */
  readonly boundHost?: string | undefined;
}

/** Routes of the mock's own pages and controls. */
export type Routes = Hono<{ Bindings: RouteBindings }>;
