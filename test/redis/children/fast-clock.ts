/** Clocks that run 60 times as fast: a process that is stopped for a second was away for a minute. Import it first. */
const speed = 60;
const RealDate = Date;
const [startMs, startedMs] = [RealDate.now(), performance.now()];
const realPerformanceNow = performance.now.bind(performance);
const passedMs = () => (realPerformanceNow() - startedMs) * speed;

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(startMs + passedMs());
    else super(...given);
  }
  static override now(): number {
    return Math.round(startMs + passedMs());
  }
} as DateConstructor;
performance.now = () => startedMs + passedMs();
