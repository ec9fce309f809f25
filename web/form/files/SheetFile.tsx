import type { ComponentProps } from 'react'
import { look } from '../../controls/look.ts'
import styles from './sheet.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'accept' | 'className' | 'onChange'> & {
  onFile: (file: File | null) => void
}

/** Where a table is chosen: an Excel workbook, or a text with separators. */
export function SheetFile({ onFile, ...props }: Props) {
  return (
    <input
      {...props}
      className={`${look.input} ${styles.file}`}
      type="file"
      accept=".xlsx,.csv,.txt,text/csv"
      onChange={({ target }) => onFile(target.files?.[0] ?? null)}
    />
  )
}
