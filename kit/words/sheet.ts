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
  FILE_TOO_LARGE: `文件不得超过 ${fileBytes / 1024 / 1024} MB，请拆成几个文件`,
  FILE_NO_TABLE: '该文件不是表格，请选择 .xlsx 或 .csv 文件',
  FILE_LOCKED: '该文件设有密码或是旧版 .xls，请在表格软件中另存为不带密码的 .xlsx',
  FILE_BROKEN: '文件已损坏，无法读取，请在表格软件中重新保存后再试',
  FILE_SWOLLEN: '文件解压后过大，可能被恶意构造，未予读取',
  FILE_SLOW: `文件过于复杂，无法在限定时间内读取，请只保留${what}数据后再试`,
  FILE_COLUMNS: `表格超过 ${columns} 列，请只保留${what}数据的列`,
  FILE_ROWS: `表格超过 ${rows.toLocaleString('en-US')} 行，请${apart}`,
})
export type SheetRefusal = keyof ReturnType<typeof sheetRefusals>
