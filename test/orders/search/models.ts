import type { Model } from './world.js';

const minuteMs = 60_000;
const lifetimeMs = 5 * minuteMs;
const settings = { hasOnPaid: true };
const people = { staff: true, cancels: true } as const;
const all = { ...people, delays: true, strangeEvents: true } as const;

/** Searched by `npm test`. */
export const smallModels: readonly Model[] = [
  {
    name: 'one process',
    states: 6_146,
    processes: 1,
    payments: 1,
    ...all,
    fixes: true,
    lifetimeMs,
    settings,
  },
  { name: 'two processes', states: 8_199, processes: 2, payments: 1, ...all, lifetimeMs, settings },
  { name: 'no lifetime', states: 36_558, processes: 1, payments: 2, ...all },
  {
    name: 'a service that acts again',
    states: 4_376,
    processes: 2,
    payments: 2,
    ...people,
    delays: true,
    actsAgain: true,
    settings: { repeatUnknown: false },
  },
  { name: 'stale reads', states: 17_566, processes: 2, payments: 1, ...all, lifetimeMs, staleReads: true },
  {
    name: 'lost responses',
    states: 12_716,
    processes: 2,
    payments: 1,
    ...all,
    lostResponses: true,
    settings,
  },
  { name: 'a restore', states: 26_872, processes: 2, payments: 1, ...people, delays: true, restores: true },
  { name: 'invoices', states: 549, processes: 2, payments: 0, invoices: 2, staff: true, delays: true },
];

/** Searched by CI. */
export const largerModels: readonly Model[] = [
  {
    name: 'many sends',
    states: 81_280,
    processes: 2,
    payments: 1,
    ...all,
    lifetimeMs: 20 * minuteMs,
    settings: { ...settings, mostSends: 3 },
  },
  {
    name: 'stale reads and lost responses',
    states: 38_637,
    processes: 2,
    payments: 2,
    staff: true,
    lostResponses: true,
    staleReads: true,
  },
  {
    name: 'a restore of two payments',
    states: 59_539,
    processes: 1,
    payments: 2,
    staff: true,
    delays: true,
    restores: true,
  },
  {
    name: 'three invoices, erased',
    states: 16_529,
    processes: 2,
    payments: 0,
    invoices: 3,
    staff: true,
    delays: true,
    staleReads: true,
    settings: { eraseAfterMs: 5 * minuteMs },
  },
];

/** Searched by `npm run search`. */
export const largestModels: readonly Model[] = [
  { name: 'two payments', states: 307_844, processes: 1, payments: 2, ...all, lifetimeMs, settings },
  {
    name: 'erased requests',
    states: 277_064,
    processes: 1,
    payments: 2,
    ...people,
    lifetimeMs,
    settings: { ...settings, eraseAfterMs: 5 * minuteMs, reviewOverdue: false },
  },
  {
    name: 'two payments, two processes',
    states: 843_265,
    processes: 2,
    payments: 2,
    ...all,
    lifetimeMs,
    settings,
  },
];
