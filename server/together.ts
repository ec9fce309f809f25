// Statements of one piece of work on their way at once: the connection sends each without waiting for the answer before (db.ts).

/** The values of all; none uses the connection any more when one's failure is told. */
export async function together<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [At in keyof Work]: Awaited<Work[At]> }> {
  const settled = await Promise.allSettled(work)
  return settled.map(one => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  }) as { -readonly [At in keyof Work]: Awaited<Work[At]> }
}
