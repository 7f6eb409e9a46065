import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import styles from './api.module.css';
import type { BodyProblem } from './check-body.ts';
import type { Connection, ConnectionState } from './connection.ts';
import { credentialNames } from './ConnectionBar.tsx';
import { FormParts } from './FormParts.tsx';
import { OutcomeView } from './OutcomeView.tsx';
import { fittedBody, fittedValue, lookUpOwnThings, takesOwnThings, type OwnThings } from './own-things.ts';
import { sendCall, type Outcome, type TriedRequest } from './send-call.ts';
import { triedRequest, type TypedCall } from './tried-request.ts';
import type { ApiOperation, ApiParameter, FormPart, Schemas } from './types.ts';

interface TryProps {
  operation: ApiOperation;
  schemas: Schemas;
  state: ConnectionState;
  connection: Connection;
}

const now = (): number => performance.now();

const textOf = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
};

const readForm = (form: HTMLFormElement, parameters: readonly ApiParameter[]): TypedCall => {
  const data = new FormData(form);
  const valuesIn = (place: ApiParameter['in']): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((one) => one.in === place)
        .map(({ name }) => [name, textOf(data, `${place} ${name}`)]),
    );
  const file = data.get('file');
  return {
    params: valuesIn('path'),
    query: valuesIn('query'),
    moreQuery: textOf(data, 'more'),
    bodyText: textOf(data, 'body'),
    parts: [...data].flatMap(([name, value]) =>
      name.startsWith('part ') ? [[name.slice('part '.length), value] as const] : [],
    ),
    ...(file instanceof File && file.size > 0 ? { file } : {}),
  };
};

/** `$sort` and `$or` are entered in the text field of the filters. */
const isTypedAlone = ({ name }: ApiParameter): boolean => name !== '$sort' && name !== '$or';

function Inputs({
  id,
  operation,
  fields,
  own,
}: {
  id: string;
  operation: ApiOperation;
  fields: readonly ApiParameter[];
  own: OwnThings;
}): ReactNode {
  const { body, filters, recording } = operation;
  const example = fittedBody(operation, recording?.success.body, own);
  return (
    <>
      {fields
        .map((field) => ({ ...field, value: fittedValue(operation, field, own) }))
        .map(({ name, in: place, required, value }) => (
          <div key={`${place} ${name}`}>
            <label className={styles.label} htmlFor={`${id} ${place} ${name}`}>
              <code>{name}</code> {required ? '' : '(optional)'}
            </label>
            <input
              id={`${id} ${place} ${name}`}
              className={styles.input}
              name={`${place} ${name}`}
              defaultValue={value}
              type="text"
              autoComplete="off"
              spellCheck={false}
            />
          </div>
        ))}
      {filters.length > 0 && (
        <div>
          <label className={styles.label} htmlFor={`${id} more`}>
            Filters and order (optional), such as <code>$sort[{filters[0]?.name}]=1</code>
          </label>
          <input id={`${id} more`} className={styles.input} name="more" type="text" spellCheck={false} />
        </div>
      )}
      {body?.mediaType === 'image/*' && (
        <div>
          <label className={styles.label} htmlFor={`${id} file`}>
            Picture
          </label>
          <input id={`${id} file`} className={styles.input} name="file" type="file" accept="image/*" />
        </div>
      )}
      {body?.mediaType === 'multipart/form-data' && (
        <FormParts
          id={id}
          schema={body.schema}
          example={Array.isArray(example) ? (example as FormPart[]) : []}
        />
      )}
      {body !== undefined && body.mediaType !== 'image/*' && body.mediaType !== 'multipart/form-data' && (
        <div>
          <label className={styles.label} htmlFor={`${id} body`}>
            Body ({body.mediaType})
          </label>
          <textarea
            id={`${id} body`}
            className={styles.editor}
            name="body"
            rows={10}
            spellCheck={false}
            defaultValue={typeof example === 'string' ? example : JSON.stringify(example ?? {}, undefined, 2)}
          />
        </div>
      )}
    </>
  );
}

function TryForm(props: TryProps): ReactNode {
  const { operation, schemas, state, connection } = props;
  const { own, onTyped } = useOwnThings(props);
  const id = useId();
  const question = useRef<HTMLDialogElement>(null);
  const [problems, setProblems] = useState<readonly BodyProblem[]>([]);
  const [asked, setAsked] = useState<TriedRequest>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [isSending, setSending] = useState(false);
  const fields = operation.parameters.filter(isTypedAlone);

  const send = async (request: TriedRequest): Promise<void> => {
    setSending(true);
    setOutcome(undefined);
    setOutcome(await sendCall(connection, request, { fetch: window.fetch.bind(window), now }));
    setSending(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const tried = triedRequest(operation, schemas, state.origin, readForm(event.currentTarget, fields));
    setProblems('problems' in tried ? tried.problems : []);
    if ('problems' in tried) return;
    if (!operation.changes) {
      void send(tried.request);
      return;
    }
    setAsked(tried.request);
    question.current?.showModal();
  };
  const confirmed = (): void => {
    question.current?.close();
    if (asked !== undefined) void send(asked);
  };

  return (
    <form className={styles.try} onSubmit={submit} onInput={onTyped} noValidate>
      <p className={styles.hint}>
        Sends to <code className={styles.origin}>{state.origin}</code>,{' '}
        {state.holds === undefined
          ? 'without a credential: sign in at the top of the page'
          : `with your ${credentialNames[state.holds]}`}
        .
      </p>
      {/* What was looked up is filled in by beginning anew. */}
      <Inputs
        key={own.dataset?.id ?? own.workspaceId}
        id={id}
        operation={operation}
        fields={fields}
        own={own}
      />
      {problems.length > 0 && (
        <div className={styles.fault} role="alert">
          <ul>
            {problems.slice(0, 10).map(({ at, problem }) => (
              <li key={`${at} ${problem}`}>
                {at === '' ? 'The body' : <code>{at}</code>} {problem}.
              </li>
            ))}
          </ul>
        </div>
      )}
      <button type="submit" className={styles.primary} disabled={isSending}>
        {isSending ? 'Sending…' : 'Send'}
      </button>
      <dialog ref={question} className={styles.question} aria-labelledby={`${id} question`}>
        <p id={`${id} question`}>
          {operation.method === 'DELETE' ? 'This removes something for good' : 'This changes something'} on{' '}
          <strong>{state.origin}</strong>. Send it?
        </p>
        <pre className={styles.asked}>
          {asked?.method} {asked?.address}
        </pre>
        <div className={styles.row}>
          <button type="button" className={styles.danger} onClick={confirmed}>
            Send {operation.method}
          </button>
          <button type="button" className={styles.button} onClick={() => question.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
      <div role="status">{outcome !== undefined && <OutcomeView outcome={outcome} />}</div>
    </form>
  );
}

const noThings: OwnThings = {};

/** Looks up values for the form once there is a credential. It does nothing after the reader has typed. */
function useOwnThings({ operation, state, connection }: TryProps): {
  own: OwnThings;
  onTyped: () => void;
} {
  const [own, setOwn] = useState(noThings);
  const hasTyped = useRef(false);
  useEffect(() => {
    if (state.holds === undefined || !takesOwnThings(operation)) return undefined;
    let isOver = false;
    const fill = async (): Promise<void> => {
      const found = await lookUpOwnThings(connection, { fetch: window.fetch.bind(window), now });
      if (!isOver && !hasTyped.current) setOwn(found);
    };
    void fill();
    return () => {
      isOver = true;
    };
  }, [operation, state.holds, connection]);
  return {
    own,
    onTyped: () => {
      hasTyped.current = true;
    },
  };
}

/** A button that opens the form for trying the call. */
export function TryCall(props: TryProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.tryBox}>
      <button
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        onClick={() => setOpen((wasOpen) => !wasOpen)}
      >
        {isOpen ? 'Close' : 'Try it'}
      </button>
      {/* With another host the form begins anew: a question that is open was about the first. */}
      {isOpen && <TryForm key={props.state.origin} {...props} />}
    </div>
  );
}
