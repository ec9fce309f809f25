import styles from './ViewBanner.module.css'

/** Says on every page that the agency is suspended and why, and whom to ask. */
export function SuspendedBanner({ reason }: { reason: string }) {
  return (
    <aside className={styles.viewBanner} aria-label="公司已暂停">
      <span>贵公司已被厂商暂停：{reason}。可以查看和导出，不能购买或修改；如有疑问请联系厂商。</span>
    </aside>
  )
}
