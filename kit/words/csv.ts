// Tables that people bring as text: comma separated, quoted where a comma or a line break stands inside (RFC 4180); some programs
// separate by other marks. Pure.

export type CsvLine = {
  /** Counted from 1, as an editor does. */ line: number
  cells: string[] /** A quote begins in it and never ends. */
  isOpen?: boolean
}

/**
 * The lines of a text one by one, so that whoever reads may stop; blank ones are passed over. They end as any system ends them: LF, CR
 * with LF, or CR alone. A quote that never ends makes one last cell of what follows.
 */
export function* csvLines(text: string, separator = ','): Generator<CsvLine> {
  let line = 1
  let begun = 1
  let cells: string[] = []
  let cell = ''
  let quoted = false
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string
    if (char === '\n') line++
    if (quoted) {
      if (char !== '"') cell += char
      else if (source[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
    } else if (char === '"' && cell.trim() === '') {
      cell = ''
      quoted = true
    } else if (char === separator) {
      cells.push(cell.trim())
      cell = ''
    } else if (char === '\n') {
      cells.push(cell.trim())
      if (cells.some(one => one !== '')) yield { line: begun, cells }
      ;[cells, cell, begun] = [[], '', line]
    } else cell += char
  }
  cells.push(cell.trim())
  if (cells.some(one => one !== '')) yield { line: begun, cells, ...(quoted ? { isOpen: true } : {}) }
}

/** Lines as such a text, each at its own number, so that what is said of one is said of the line that its person sees. */
export function csvText(lines: readonly { line: number; cells: readonly string[] }[]): string {
  let text = ''
  let at = 1
  for (const { line, cells } of lines) {
    text += '\n'.repeat(Math.max(0, line - at))
    at = Math.max(at, line)
    text += cells
      .map(cell => cell.replace(/\s*\n\s*/g, ' '))
      .map(cell => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
      .join(',')
  }
  return text
}

/** A line of such a text; what a spreadsheet would take for a formula stays a text. */
export function csvLine(cells: readonly string[]): string {
  return cells
    .map(cell => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell))
    .map(cell => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')
}
