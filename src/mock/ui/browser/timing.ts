/** Debounces a task: runs it after so many milliseconds without another call. */
export function afterQuiet(task: () => void, milliseconds: number): () => void {
  let timer: number | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(task, milliseconds);
  };
}

/** Throttles a task: runs it so many milliseconds after the first call, once for all calls until then. */
export function soon(task: () => void, milliseconds: number): () => void {
  let timer: number | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      task();
    }, milliseconds);
  };
}
