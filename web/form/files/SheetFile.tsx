import type { ComponentProps } from 'react'
import { SHEET_ENDINGS } from '#kit/words/sheet.ts'
import { look } from '../../controls/look.ts'
import styles from './sheet.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'accept' | 'className' | 'onChange'> & {
  onFile: (file: File | null) => void
}

/** Where a table is chosen; what it is, the server reads. */
export function SheetFile({ onFile, ...props }: Props) {
  return (
    <input
      {...props}
      className={`${look.input} ${styles.file}`}
      type="file"
      accept={SHEET_ENDINGS}
      onChange={({ target }) => onFile(target.files?.[0] ?? null)}
    />
  )
}
