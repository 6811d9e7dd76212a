/**
 * Joins the pieces of a body; undefined if they are larger than the limit. In that case, the loop closes the iterator,
 * which cancels the body, unless the iterator leaves the body open, as the iterators for webhooks do.
 */
export async function collect<Piece extends Uint8Array>(
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
  mostBytes: number,
): Promise<Buffer | undefined> {
  const collected: Piece[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > mostBytes) return undefined;
    collected.push(piece);
  }
  return Buffer.concat(collected, size);
}
