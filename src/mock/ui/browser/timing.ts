/** Runs a task once it has not been asked for during so many milliseconds. */
export function afterQuiet(task: () => void, milliseconds: number): () => void {
  let timer: number | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(task, milliseconds);
  };
}

/** Runs a task so many milliseconds after it was asked for, once for all that ask meanwhile. */
export function soon(task: () => void, milliseconds: number): () => void {
  let timer: number | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      task();
    }, milliseconds);
  };
}
