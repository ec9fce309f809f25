// The look of lines that a table has brought: a box that scrolls, heads that stay, lines of one height.
import styles from './sheet.module.css'

export const sheetLook = {
  box: styles.box,
  table: styles.table,
  /** A line's own number. */
  number: styles.number,
}
