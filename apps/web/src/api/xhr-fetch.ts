/** A fetch on XMLHttpRequest, because fetch itself cannot report how much of the body is sent. */
export const createXhrFetch =
  (onProgress: (sent: number, total: number) => void): typeof globalThis.fetch =>
  (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url instanceof Request ? url.url : url);
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
      request.addEventListener('load', () => resolve(new Response(request.responseText, request)));
      request.addEventListener('error', () => reject(new TypeError('the connection was lost')));
      request.addEventListener('abort', () =>
        reject(new DOMException('The upload was canceled.', 'AbortError')),
      );
      signal?.addEventListener('abort', () => request.abort());
      request.send(body as XMLHttpRequestBodyInit | null);
    });
