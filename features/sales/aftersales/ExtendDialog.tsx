import { useQuery } from '@tanstack/react-query'
import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import { formatInstant } from '#kit/time.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { aftersales } from './contract.ts'
import { DaysField, expiryAfter } from './DaysField.tsx'
import { EXTENSION } from './fields.ts'
import { refuseExtended, TOOL_REFUSALS } from './rules.ts'
import { readShopsAgain, type Shop } from './ToolPage.tsx'

const toolsApi = api<typeof aftersales>('aftersales')

type Props = { shop: { id: number; shopName: string }; onClose: () => void }

/** Days that a shop gets for nothing, from wherever it is met. */
export default function ExtendDialog({ shop: { id, shopName }, onClose }: Props) {
  const found = useQuery(toolsApi.extendFind.query({ search: String(id) }))
  const shop = found.data?.shop
  const refusal = shop ? refuseExtended(shop) : found.data ? 'SHOP_UNKNOWN' : null
  if (shop && refusal === null)
    return <ExtendShop key={`${shop.id} ${shop.revision}`} shop={shop} onClose={onClose} />
  return (
    <Dialog
      title={`延期「${shopName}」`}
      width={480}
      onClose={onClose}
      footer={<CloseButton>关闭</CloseButton>}
    >
      {found.isError ? (
        <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
      ) : refusal ? (
        <DialogText>{TOOL_REFUSALS[refusal]}</DialogText>
      ) : (
        <LoadingLines lines={4} />
      )}
    </Dialog>
  )
}

/** The dialog names the shop and its new term: that is the question. */
function ExtendShop({ shop, onClose }: { shop: Shop; onClose: () => void }) {
  return (
    <FormDialog
      title={`延期「${shop.shopName}」`}
      submitText="延期"
      of={EXTENSION}
      send={async ({ days, reason }) => {
        await toolsApi.extend({ id: shop.id, revision: shop.revision, days, reason })
        toast.success('延期成功')
        await reread()
      }}
      onRefused={error => {
        const refusal = refusalOf(error)
        // The shop is shown anew, and this form with it.
        if (refusal?.code === 'STALE') toast.error(refusal.message)
        return readShopsAgain()
      }}
      onClose={onClose}
    >
      {form => {
        const after = expiryAfter(shop, form.meant().days, new Date().toISOString())
        return (
          <>
            <FormNote>
              商户 ID {shop.id}，服务商 {shop.agentName}。到期时间{' '}
              {shop.expiresAt && formatInstant(shop.expiresAt)}
              {after && <b> → {formatInstant(after)}</b>}
            </FormNote>
            <DaysField form={form} />
            <ReasonField of="tool" form={form} name="reason" />
          </>
        )
      }}
    </FormDialog>
  )
}
