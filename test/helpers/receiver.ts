import { onTestFinished } from 'vitest';
import { recordingServer, type RecordingServer, type Script } from './recording-server.js';

/** A recording server that closes at the end of the test that started it. */
export async function receiver(...scripts: readonly Script[]): Promise<RecordingServer> {
  const server = await recordingServer(...scripts);
  onTestFinished(() => server.close());
  return server;
}
