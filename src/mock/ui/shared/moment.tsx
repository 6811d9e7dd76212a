import { vietnamOffset } from '../../../protocol/timestamps.js';
import { momentText, timeText } from './clock.js';

interface MomentProps {
  readonly at: Date;
}

/** Day and time of day in Vietnam. */
export function Moment({ at }: MomentProps) {
  return <time datetime={at.toISOString()}>{momentText(at)}</time>;
}

/** Day and time of day in Vietnam, with the offset. */
export function ZonedMoment({ at }: MomentProps) {
  return (
    <>
      <Moment at={at} /> ({vietnamOffset})
    </>
  );
}

/** Time of day in Vietnam with milliseconds, to tell requests apart. */
export function TimeOfDay({ at }: MomentProps) {
  return (
    <time datetime={at.toISOString()} title={`${momentText(at)} (${vietnamOffset})`}>
      {timeText(at)}
    </time>
  );
}
