import { useMemo } from 'react'
import type { Paper, ReceiptContent } from '#kit/print/receipt.ts'
import { sampleOf } from '#kit/print/receipt-samples.ts'
import { EmptyState, LoadingLines } from '#web/form/LoadStates.tsx'
import { Preview } from '#web/print/Preview.tsx'
import styles from './receipts.module.css'
import { useReceiptPages } from './useReceiptPages.tsx'

/** A receipt to look at: on 80 mm, or on A4 where it stands there alone. */
export function ReceiptPicture({ content }: { content: ReceiptContent }) {
  const data = useMemo(() => sampleOf('sale'), [])
  const paper: Paper = content.ordinary.length > 0 ? 80 : 210
  const papers = useMemo(() => [paper], [paper])
  const [laid] = useReceiptPages(content, data, papers) ?? []
  if (content.ordinary.length + content.wide.length === 0) return <EmptyState title="暂无小票样式" />
  if (!laid) return <LoadingLines />
  return laid.pages.map(({ scene }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sheets have no name but their place.
    <div key={at} className={styles.paper}>
      <Preview scene={scene} glyphs={laid.glyphs} label={`${paper}mm 小票`} />
    </div>
  ))
}
