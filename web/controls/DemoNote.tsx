import styles from './DemoNote.module.css'
/** Says on every page that nothing here is real. */
export function DemoNote() {
  return (
    <aside className={styles.demoNote} aria-label="数据说明">
      演示数据
    </aside>
  )
}
