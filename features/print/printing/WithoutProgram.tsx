import { look } from '#web/controls/look.ts'
import { type DeviceKind, deviceKinds } from '#web/print/devices.ts'
import styles from './printing.module.css'

/** A port that this browser reaches, and what is pressed for it as printing shows it. */
const PORTS: Readonly<Record<DeviceKind, { port: string; press: string }>> = {
  usb: { port: ' USB 口', press: '“选择 USB 打印机”' },
  serial: { port: '串口', press: '“选择串口打印机”' },
}

/** What prints on this machine without anything to install: printers of this browser, else A4 and PDF. */
export function WithoutProgram() {
  const ports = deviceKinds().map(kind => PORTS[kind])
  return (
    <section className={styles.part} aria-labelledby="printing-without">
      <h2 id="printing-without" className={look.sectionTitle}>
        不装程序也能打印
      </h2>
      <ul className={styles.guide}>
        {ports.length > 0 && (
          <li>
            标签机、小票机：接在这台电脑的{ports.map(({ port }) => port).join('或')}上，打印时点
            {ports.map(({ press }) => press).join('或')}，选一次即可
          </li>
        )}
        <li>普通打印机：打印时选“浏览器打印”，用 A4 纸；或下载 PDF</li>
        {ports.length === 0 && (
          <li>这个浏览器不能直接连接标签机和小票机：换用电脑上的 Chrome 或 Edge，或安装下面的打印程序</li>
        )}
      </ul>
    </section>
  )
}
