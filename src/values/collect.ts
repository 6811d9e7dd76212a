/** Joins the pieces of a body; undefined if they are larger than the limit. Leaving the loop cancels the body. */
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
