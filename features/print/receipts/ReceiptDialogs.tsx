import HistoryDialog from '#features/print/print-templates/HistoryDialog.tsx'
import PublishDialog from '#features/print/print-templates/PublishDialog.tsx'
import type { Picture } from '#features/print/print-templates/templatesApi.tsx'
import UsageDialog from '#features/print/print-templates/UsageDialog.tsx'
import type { ReceiptContent } from '#kit/print/receipt.ts'
import { ReceiptPicture } from './ReceiptPicture.tsx'
import type { ReceiptRow } from './receiptsApi.tsx'

export type ReceiptDialog = 'publish' | 'history' | 'usage'
type Props = { what: ReceiptDialog; row: ReceiptRow; onClose: () => void }

const picture: Picture = content => <ReceiptPicture content={content as ReceiptContent} />

/** Publishing a receipt, its versions, and the shops that use it. */
export default function ReceiptDialogs({ what, row: { id, name }, onClose }: Props) {
  const about = { kind: 'receipt' as const, id, name, onClose }
  if (what === 'publish') return <PublishDialog {...about} picture={picture} />
  if (what === 'history') return <HistoryDialog {...about} picture={picture} />
  return <UsageDialog {...about} />
}
