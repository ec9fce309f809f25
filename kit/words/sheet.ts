// Owns what a table that somebody brings is refused for, whoever reads it.

export type SheetRules = {
  /** Bytes of the file. */
  fileBytes: number
  columns: number
  /** Lines below the heads. */
  rows: number
}

/** `what`: what its lines are about (商品). `apart`: what to do with more lines than are read at once. */
export const sheetRefusals = ({ fileBytes, columns, rows }: SheetRules, what: string, apart: string) => ({
  FILE_EMPTY: '文件是空的，请选择有内容的表格',
  FILE_HIDDEN: '表格的内容全部被隐藏，请取消隐藏或清除筛选后再传',
  FILE_TOO_LARGE: `文件不得超过 ${fileBytes / 1024 / 1024} MB，请拆成几个文件`,
  FILE_NO_TABLE: '该文件不是表格，请选择 Excel、WPS 表格或 CSV 文件',
  FILE_LOCKED: '该文件设有密码，请在表格软件中取消密码并保存后再传',
  FILE_BROKEN: '文件已损坏，无法读取，请在表格软件中重新保存后再试',
  FILE_SWOLLEN: '文件解压后过大，可能被恶意构造，未予读取',
  FILE_SLOW: `文件过于复杂，无法在限定时间内读取，请只保留${what}数据后再试`,
  FILE_COLUMNS: `表格超过 ${columns} 列，请只保留${what}数据的列`,
  FILE_ROWS: `表格超过 ${rows.toLocaleString('en-US')} 行，请${apart}`,
  FILE_BUSY: '贵公司还有几份表格正在读取，请等它们读完后再传',
})
export type SheetRefusal = keyof ReturnType<typeof sheetRefusals>

/** Endings of what is read, as a chooser of files takes them; what a file is, its content says. */
export const SHEET_ENDINGS =
  '.xlsx,.xls,.et,.xlsm,.xlsb,.xltx,.ods,.csv,.tsv,.txt,.xml,.htm,.html,.mht,.numbers,text/csv'
export const SHEET_KINDS = 'Excel、WPS 表格（.xlsx、.xls、.et 等）和 .csv'

/** What stands in a cell whose formula was never computed. */
export const NO_RESULT = '#未计算'

const SPOILT: readonly (readonly [test: RegExp, words: string])[] = [
  [
    /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|GETTING_DATA|BLOCKED!|UNKNOWN!|CONNECT!)$/i,
    '表格里这一格是公式错误（{text}），请填写实际内容',
  ],
  [/^#未计算$/, '表格里这一格的公式没有保存结果，请在表格软件中打开并保存，或直接填写内容'],
  [/^#{3,}$/, '表格里这一格因列宽不足显示为 {text}，请填写实际内容'],
  [/^-?\d(\.\d+)?E[+-]?\d{1,3}$/i, '表格软件把这一格当作数字，末尾的数字已经丢失（{text}），请重新填写'],
  [/^=(_xlfn\.)?DISPIMG\(/i, '表格里这一格是图片，请填写文字'],
  [/\uFFFD/, '这一格含有无法识别的字符（{text}），请重新填写'],
]

/** Why what stands in a cell is not what its person meant, or null: spreadsheets leave such texts behind, also in a file of text. */
export function spoiltCell(text: string): string | null {
  const words = SPOILT.find(([test]) => test.test(text.trim()))?.[1]
  return words?.replace('{text}', text.trim().slice(0, 40)) ?? null
}

/** What of a table was not as it seems, whoever read it. */
export type SheetTold = {
  /** The one of several sheets that was read; null: there was one. */
  sheet: string | null
  /** Others that have heads, too, and were not read. */
  alike: string[]
  hiddenSheets: string[]
  /** The first of them, and how many there are. */
  hiddenLines: number[]
  hiddenLineCount: number
  hiddenColumns: string[]
  /** Merged cells whose text stands in each of their rows now, and those of which it stands in the first column alone. */
  filled: string[]
  spread: string[]
  /** The line of a text in which a quote begins that never ends; null: none does. */
  openQuote: number | null
}

const list = (names: readonly string[], most = 5) =>
  `${names.slice(0, most).join('、')}${names.length > most ? ' 等' : ''}`
const quoted = (names: readonly string[]) => list(names.map(name => `「${name}」`))

/** What its person is told of a table that was read. */
export function sheetNotes(told: SheetTold): string[] {
  const {
    sheet,
    alike,
    hiddenSheets,
    hiddenLines,
    hiddenLineCount,
    hiddenColumns,
    filled,
    spread,
    openQuote,
  } = told
  const notes: [when: boolean, words: string][] = [
    [sheet !== null, `读取的是工作表「${sheet}」`],
    [alike.length > 0, `工作表${quoted(alike)}也有表头，没有读取；需要时请把它单独存为一个文件再传`],
    [hiddenSheets.length > 0, `隐藏的工作表${quoted(hiddenSheets)}没有读取`],
    [
      hiddenLineCount > 0,
      `隐藏或被筛选掉的 ${hiddenLineCount} 行没有读取（第 ${list(hiddenLines.map(String), 10)} 行）；需要时请取消隐藏后再传`,
    ],
    [hiddenColumns.length > 0, `隐藏的 ${list(hiddenColumns, 10)} 列没有读取；需要时请取消隐藏后再传`],
    [filled.length > 0, `合并单元格 ${list(filled)} 的内容已填入它的每一行，请核对`],
    [spread.length > 0, `横跨几列的合并单元格 ${list(spread)} 只算作第一列的内容，请核对`],
  ]
  if (openQuote !== null)
    notes.push([true, `第 ${openQuote} 行有一个没有配对的引号，它后面的内容都读成了一格，请检查后再传`])
  return notes.filter(([when]) => when).map(([, words]) => words)
}
