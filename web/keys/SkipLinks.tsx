import styles from './SkipLinks.module.css'

/** First for whoever uses keys: past menu and head, to the rows or to what the page is about. */
export function SkipLinks() {
  return (
    <>
      <button type="button" className={styles.skip} data-to="list" onClick={toList}>
        跳到列表
      </button>
      <a className={styles.skip} href="#main">
        跳到内容
      </a>
    </>
  )
}

/** To its first row, or where it has none to its first control. */
function toList(): void {
  const list = document.querySelector('[data-part=list]')
  const row = list?.querySelector<HTMLElement>('tbody tr[tabindex="0"]')
  ;(row ?? list?.querySelector<HTMLElement>('button, input'))?.focus()
}
