import { isDelay, type MockFault } from '../../wire/faults.js';
import type { JournalFile } from '../../state/journal-types.js';
import { Badge } from '../shared/badge.js';
import { isLost, type EntryProps } from './badges.js';
import { MessageText } from './message-text.js';
import { Facts, Headers, Panel } from './panel.js';

/** A request: its headers, and the fields of its form or its body as text. */
export function RequestPanel({ entry }: EntryProps) {
  const { method, path, headers, fields, files = [], body, bodyBytes } = entry;
  return (
    <Panel id="request" title="Request">
      <p>
        <code>{`${method} ${path}`}</code>
        {bodyBytes !== undefined && <span class="quiet"> {bodyBytes} bytes</span>}
      </p>
      <Headers of={headers} />
      <p class="quiet aside">Credentials are not kept, and signatures only where one was refused.</p>
      {fields && <Form fields={fields} files={files} />}
      {body !== undefined && (
        <>
          <h3>Body</h3>
          <MessageText text={body} bytes={bodyBytes} />
        </>
      )}
    </Panel>
  );
}

const arrived: Readonly<Record<Exclude<MockFault, object>, string>> = {
  'connection-reset': 'nothing: the connection was reset',
  'empty-response': 'nothing: the connection was closed',
  hang: 'nothing: the connection stays open',
  'stalled-body': 'the first half of the body, and then nothing',
  'truncated-body': 'the first half of the body, and then the end of the connection',
  'invalid-json': 'the first half of the JSON, as a complete response',
  'html-502': "a gateway's HTML page, with status 502",
};

/** The response of the service, and how much of it arrived when a fault was injected. */
export function ResponsePanel({ entry }: EntryProps) {
  const { fault, httpStatus, response, completed } = entry;
  const struck = fault !== undefined && !isDelay(fault) ? fault : undefined;
  return (
    <Panel
      id="response"
      title={isLost(entry) ? 'Response, which was lost' : 'Response'}
      action={httpStatus !== undefined && <Badge tone="plain">HTTP {httpStatus}</Badge>}
    >
      {struck && (
        <p class="notice warn">
          The sender got {arrived[struck]}.{' '}
          {response ? 'The service acted, and this is what it answered:' : 'The service did not act.'}
        </p>
      )}
      {response ? (
        <>
          <Headers of={response.headers} />
          {response.body !== '' && (
            <>
              <h3>Body</h3>
              <MessageText text={response.body} bytes={response.bodyBytes} />
            </>
          )}
        </>
      ) : (
        !struck && <p class="quiet">{completed ? 'No response.' : 'No response yet.'}</p>
      )}
    </Panel>
  );
}

interface FormProps {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly JournalFile[];
}

function Form({ fields, files }: FormProps) {
  return (
    <>
      <h3>Form</h3>
      <Facts
        of={Object.entries(fields).map(([name, value]) => [name, <code class="field-text">{value}</code>])}
      />
      {files.map(({ field, name, type, size, sha256 }) => (
        <>
          <h3>File {name}</h3>
          <Facts
            of={[
              ['Field', field],
              ['Declared type', type],
              ['Size', `${String(size)} bytes`],
              ['SHA-256', <code>{sha256}</code>],
            ]}
          />
        </>
      ))}
    </>
  );
}
