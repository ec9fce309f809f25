// The program that reads one table for server/sheets/sheet.ts. It holds nothing but the file and has nothing to lose.
import { constants } from 'node:os'
import { comeLast } from '../children.ts'
import { chosenOf } from './choose.ts'
import { decoded } from './encoding.ts'
import { type Page, type SheetAnswer, type SheetOrder, Unreadable } from './sheet-order.ts'
import { pageOfText } from './text.ts'

/** Waits for its order from the program that started it, answers, and ends with that program. */
export function runSheetChild(): void {
  comeLast(constants.priority.PRIORITY_BELOW_NORMAL)
  process.once('disconnect', () => process.exit(1))
  process.once('message', message => {
    tableOf(message as SheetOrder).then(answer => process.send?.(answer))
  })
}

export async function tableOf(order: SheetOrder): Promise<SheetAnswer> {
  try {
    return chosenOf(await pagesOf(order), order)
  } catch (error) {
    return { problem: error instanceof Unreadable ? error.problem : 'broken' }
  }
}

const begins = (bytes: Uint8Array, ...with_: number[]) => with_.every((byte, at) => bytes[at] === byte)

/** What a file is, its first bytes say; what it is called says nothing. */
async function pagesOf(order: SheetOrder): Promise<Page[]> {
  const { bytes, limits } = order
  if (bytes.every(byte => byte === 0)) throw new Unreadable('empty')
  // The program that starts this one has no use for it.
  const workbook = () => import('./workbook.ts')
  if (begins(bytes, 0x50, 0x4b)) return (await workbook()).pagesOfArchive(order)
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return (await workbook()).pagesOfContainer(order)
  if (isOldBinary(bytes)) return (await workbook()).pagesOfBinary(order)
  if (isForeign(bytes)) throw new Unreadable('no-table')
  const start = Buffer.from(bytes.subarray(0, 1_024))
    .toString('latin1')
    .replace(/^\u00EF\u00BB\u00BF/, '')
  const { charsetOf, pagesOfMarks, pagesOfMarkup, pagesOfMessage } = await workbook()
  if (/^MIME-Version:/i.test(start)) return pagesOfMessage(order)
  const text = decoded(bytes, /^\s*</.test(start) ? charsetOf(bytes) : undefined).replace(/^\uFEFF+/, '')
  if (/^\s*</.test(text)) return pagesOfMarkup(order, text)
  if (/^(ID;P|TABLE\r?\n0,1\r?\n)/.test(text)) return pagesOfMarks(order, text)
  if (/^\s*(\[\s*)?\{\s*"/.test(text)) throw new Unreadable('no-table')
  return [pageOfText(text, limits, new Set(order.heads))]
}

/** Excel 2 to 4 without a container, and dBase. */
function isOldBinary(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes
  if (first === 0x09 && [0x00, 0x02, 0x04, 0x08].includes(second)) return true
  const isDay = third >= 1 && third <= 12 && fourth >= 1 && fourth <= 31
  return (
    [0x02, 0x03, 0x30, 0x31, 0x83, 0x8b, 0xf5].includes(first) && isDay && bytes.subarray(0, 32).includes(0)
  )
}

/** PDF, RTF, pictures, other archives. */
function isForeign(bytes: Uint8Array): boolean {
  return [
    [0x25, 0x50, 0x44, 0x46],
    [0x7b, 0x5c, 0x72, 0x74, 0x66],
    [0x89, 0x50, 0x4e, 0x47],
    [0xff, 0xd8, 0xff],
    [0x47, 0x49, 0x46, 0x38],
    [0x52, 0x61, 0x72, 0x21],
    [0x37, 0x7a, 0xbc, 0xaf],
    [0x1f, 0x8b],
  ].some(mark => begins(bytes, ...mark))
}
