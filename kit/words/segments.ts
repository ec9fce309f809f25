// How many segments carriers charge a message as. Both SMS services count alike.
const SINGLE_MAX = 70
const PART_MAX = 67

/** Of `【signature】text` by its UTF-16 length: 70 fit into one segment, beyond that 67 into each. */
export function segmentsOf(signature: string, text: string): number {
  const { length } = `【${signature}】${text}`
  return length <= SINGLE_MAX ? 1 : Math.ceil(length / PART_MAX)
}
