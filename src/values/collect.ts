/**
 * Joins the pieces of a body; undefined if the pieces are larger than the limit. In that case, the loop closes the
 * iterator. Most iterators then cancel the body, but the iterators for webhooks leave it open.
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
