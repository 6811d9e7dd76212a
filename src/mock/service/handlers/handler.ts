import type { Exchange, Subject, Verdict } from '../exchange.js';
import type { Incoming } from '../delivery.js';
import type { OpenEntry } from '../../state/journal.js';
import type { Refusal } from '../refusal.js';

/** How the mock serves one operation, step by step. */
export interface HandlerSteps<Message> {
  /** Bytes that the body may have. */
  readonly bodyLimit: number;
  /** What a larger body is refused with. */
  readonly tooLarge: Refusal;
  /** Takes the bytes apart, as far as that goes. */
  read(bytes: Buffer, contentType: string | undefined): Message;
  /** The words by which the request is known. */
  subjectOf(message: Message, incoming: Incoming): Subject;
  /** Writes the body into the journal. */
  note(message: Message, entry: OpenEntry): void;
  /** Judges and acts. */
  handle(message: Message, exchange: Exchange): Promise<Verdict>;
}

/** A request whose bytes have been read. */
export interface ReadRequest {
  readonly subject: Subject;
  note(entry: OpenEntry): void;
  handle(exchange: Exchange): Promise<Verdict>;
}

/** A handler that keeps to itself what it reads a body into. */
export interface Handler {
  readonly bodyLimit: number;
  readonly tooLarge: Refusal;
  read(bytes: Buffer, incoming: Incoming): ReadRequest;
}

export function handlerOf<Message>(steps: HandlerSteps<Message>): Handler {
  const { bodyLimit, tooLarge } = steps;
  return {
    bodyLimit,
    tooLarge,
    read(bytes, incoming) {
      const message = steps.read(bytes, incoming.header('content-type'));
      return {
        subject: steps.subjectOf(message, incoming),
        note(entry) {
          steps.note(message, entry);
        },
        handle: (exchange) => steps.handle(message, exchange),
      };
    },
  };
}
