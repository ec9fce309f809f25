import { Dialog } from '#web/form/Dialog.tsx'
import { MarkHistory } from './MarkHistory.tsx'
import styles from './renewals.module.css'

type Props = { shop: { id: number; shopName: string }; onClose: () => void }

export default function MarkHistoryDialog({ shop, onClose }: Props) {
  return (
    <Dialog title={`跟进记录：${shop.shopName}`} width={520} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <section className={styles.markHistoryBox} tabIndex={0} aria-label="跟进记录">
        <MarkHistory merchantId={shop.id} />
      </section>
    </Dialog>
  )
}
