// Looks of text and plain controls that any page gives to its elements.
import styles from './look.module.css'

export const look = {
  /** Read by screen readers alone. */
  visuallyHidden: styles.visuallyHidden,
  /** Digits of one width; `data-sign` colours money. */
  number: styles.number,
  quiet: styles.quiet,
  /** A link that stands within other text, known not by its colour alone. */
  inText: styles.inText,
  input: styles.input,
  select: styles.select,
  /** Around a page that is not a list. */
  page: styles.page,
  pageTitle: styles.pageTitle,
  sectionTitle: styles.sectionTitle,
  onlyPhone: styles.onlyPhone,
  notPhone: styles.notPhone,
}
