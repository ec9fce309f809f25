// Heads of columns as people write them, compared. Pure.

/** Characters of heads as Taiwan and Hong Kong write them, each before the one of the mainland. */
const TRADITIONAL =
  '鋪铺稱称簡简號号帳账賬账戶户電电話话機机購购買买時时數数業业類类區区縣县詳详細细備备註注開开間间門门訂订級级聯联絡络總总價价條条碼码種种規规單单編编產产貨货質质書书師师員员經经營营態态從从試试護护證证鎮镇鄉乡陽阳東东點点體体頭头標标簽签'
const SIMPLE = new Map<string, string>(
  Array.from({ length: TRADITIONAL.length / 2 }, (_, at) => [
    TRADITIONAL.charAt(at * 2),
    TRADITIONAL.charAt(at * 2 + 1),
  ]),
)

/** Without blanks and marks, in the characters of the mainland. */
export const plainHead = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Script=Han}/gu, character => SIMPLE.get(character) ?? character)
    .replace(/[\s*:：_\-/、.]/g, '')
    .toLowerCase()

/** A head as it is compared: without blanks, marks, and what stands in brackets. */
export const headKey = (name: string): string =>
  plainHead(name.normalize('NFKC').replace(/[(（【[][^)）】\]]*[)）】\]]/g, ''))

/** Whether a cell is one of these heads, each as `headKey` or `plainHead` compares it. */
export const isHead = (known: ReadonlySet<string>, cell: string): boolean =>
  known.has(headKey(cell)) || known.has(plainHead(cell))
