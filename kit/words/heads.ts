// Heads of columns as people write them, compared. Pure.

/** Without blanks and marks. */
export const plainHead = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\s*:：_\-/、.]/g, '')
    .toLowerCase()

/** A head as it is compared: without blanks, marks, and what stands in brackets. */
export const headKey = (name: string): string =>
  plainHead(name.normalize('NFKC').replace(/[(（【[][^)）】\]]*[)）】\]]/g, ''))
