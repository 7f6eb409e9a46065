import { useEffect, useMemo, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { createUploadApi } from '../../api/client.ts';
import { createXhrFetch } from '../../api/xhr-fetch.ts';
import { UploadsContext, type Upload, type UploadOrder, type Uploads } from './uploads-context.ts';

const toForm = ({
  datasetId,
  files,
  fileOptions,
  label,
  isDocument,
  ocrLanguages,
}: UploadOrder): FormData => {
  const form = new FormData();
  form.set('datasetId', datasetId);
  if (label !== undefined) form.set('accessControlLabel', JSON.stringify(label));
  if (isDocument) form.set('processAsDocument', 'true');
  if (ocrLanguages.length > 0) form.set('ocrLanguages', JSON.stringify(ocrLanguages));
  if (Object.keys(fileOptions).length > 0) form.set('fileOptions', JSON.stringify(fileOptions));
  for (const file of files) form.append('files', file, file.name);
  return form;
};

/**
 * Keeps uploads running while the person opens other pages of the console. Mount it again for another person:
 * unmounting it aborts all uploads.
 */
export const UploadsProvider = ({ children }: { children: ReactNode }): ReactElement => {
  const [all, setAll] = useState<readonly Upload[]>([]);
  const aborts = useRef(new Map<string, AbortController>());
  /** The requests of uploads by their ids, kept until the server has received them so that they can be retried. */
  const orders = useRef(new Map<string, UploadOrder>());
  const isSending = all.some(({ state }) => state === 'sending');

  useEffect(() => {
    const running = aborts.current;
    return () => {
      for (const abort of running.values()) abort.abort();
    };
  }, []);

  useEffect(() => {
    if (!isSending) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isSending]);

  const uploads = useMemo((): Uploads => {
    const change = (id: string, part: Partial<Upload>): void =>
      setAll((present) => present.map((one) => (one.id === id ? { ...one, ...part } : one)));

    const send = async (id: string, order: UploadOrder): Promise<void> => {
      const abort = new AbortController();
      const { signal } = abort;
      aborts.current.set(id, abort);
      const api = createUploadApi(createXhrFetch((sent, total) => change(id, { sent, total })));
      try {
        const { jobId } = await api.createUpload({ body: toForm(order) }, { signal });
        orders.current.delete(id);
        change(id, { state: 'received', jobId });
      } catch (error) {
        change(id, signal.aborted ? { state: 'canceled' } : { state: 'failed', error });
      } finally {
        aborts.current.delete(id);
      }
    };

    return {
      all: [],
      start: (order) => {
        const id = crypto.randomUUID();
        const { datasetId, datasetName, files } = order;
        const total = files.reduce((sum, { size }) => sum + size, 0);
        const upload: Upload = {
          id,
          datasetId,
          datasetName,
          fileCount: files.length,
          sent: 0,
          total,
          state: 'sending',
        };
        setAll((present) => [...present, upload]);
        orders.current.set(id, order);
        void send(id, order);
      },
      retry: (id) => {
        const order = orders.current.get(id);
        if (order === undefined || aborts.current.has(id)) return;
        change(id, { state: 'sending', sent: 0, error: undefined });
        void send(id, order);
      },
      cancelSending: (id) => aborts.current.get(id)?.abort(),
      dismiss: (id) => {
        orders.current.delete(id);
        setAll((present) => present.filter((one) => one.id !== id));
      },
    };
  }, []);

  return <UploadsContext value={{ ...uploads, all }}>{children}</UploadsContext>;
};
