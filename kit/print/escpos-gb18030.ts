// GB18030 bytes of a text, by the table that every TextDecoder has, turned round.

let known: ReadonlyMap<string, readonly number[]> | null = null

/** Codes of two bytes first: those that printers draw. Those of four bytes stand for the rest of the first plane. */
function table(): ReadonlyMap<string, readonly number[]> {
  if (known) return known
  const bytesOf = new Map<string, readonly number[]>()
  const decoder = new TextDecoder('gb18030')
  const add = (bytes: readonly number[]) => {
    const text = decoder.decode(new Uint8Array(bytes))
    if ([...text].length === 1 && text !== '\ufffd' && !bytesOf.has(text)) bytesOf.set(text, bytes)
  }
  for (let lead = 0x81; lead <= 0xfe; lead += 1)
    for (let trail = 0x40; trail <= 0xfe; trail += 1) if (trail !== 0x7f) add([lead, trail])
  for (let pointer = 0; pointer < FIRST_PLANE; pointer += 1) add(fourBytes(pointer))
  // What a decoder also gives for what it cannot read; these bytes do say it.
  bytesOf.set('\ufffd', [0x84, 0x31, 0xa4, 0x37])
  known = bytesOf
  return bytesOf
}

/** Pointers of the first plane, and where those of the others begin. */
const FIRST_PLANE = 39_420
const OTHER_PLANES = 189_000

const fourBytes = (pointer: number): number[] => [
  0x81 + Math.floor(pointer / 12_600),
  0x30 + (Math.floor(pointer / 1_260) % 10),
  0x81 + (Math.floor(pointer / 10) % 126),
  0x30 + (pointer % 10),
]

function bytesOf(character: string): readonly number[] {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return [code]
  if (code > 0xffff) return fourBytes(OTHER_PLANES + code - 0x10000)
  return table().get(character) ?? [QUESTION]
}

const QUESTION = 0x3f

/** What GB18030 cannot say becomes a question mark. */
export const gb18030 = (text: string): Uint8Array => Uint8Array.from([...text].flatMap(bytesOf))

/** Characters that a printer has no letters for: those of four bytes. */
export const unprintable = (text: string): string[] =>
  [...new Set(text)].filter(character => {
    const bytes = bytesOf(character)
    return bytes.length === 4 || (bytes[0] === QUESTION && character !== '?')
  })

/** What printers have letters for; a question mark, as wide, for the rest. */
export function printed(text: string, isWide: (character: string) => boolean): string {
  const lost = new Set(unprintable(text))
  if (lost.size === 0) return text
  return [...text]
    .map(character => (lost.has(character) ? (isWide(character) ? '？' : '?') : character))
    .join('')
}
