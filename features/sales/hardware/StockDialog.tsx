import { useState } from 'react'
import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import type { Meant } from '#kit/declare/form.ts'
import { formatCount } from '#kit/money.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { hardware, ProductRow } from './contract.ts'
import { STOCK_TAKING } from './fields.ts'
import { REFUSALS, refuseStockChange } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')

type Taking = Meant<typeof STOCK_TAKING>

/** Pieces that came or went, and why; refused when orders moved the stock since it was shown. */
export default function StockDialog({ product, onClose }: { product: ProductRow; onClose: () => void }) {
  const [stockBefore, setStockBefore] = useState(product.stock)
  const submit = async (taking: Taking) => {
    try {
      await hardwareApi.adjustStock({ id: product.id, stockBefore, ...taking })
    } catch (error) {
      const moved = refusalOf(error)?.data?.stock
      if (typeof moved === 'number') setStockBefore(moved)
      throw error
    }
    toast.success('库存已调整')
    await reread()
  }
  return (
    <FormDialog
      title={`调整库存：${product.name}`}
      submitText="调整库存"
      of={STOCK_TAKING}
      refuse={({ change }) => {
        const code = refuseStockChange(stockBefore, change)
        return code && { field: 'change', message: REFUSALS[code] }
      }}
      send={submit}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields
            form={form}
            only={['change']}
            told={{ change: { hint: outcome(stockBefore, form.meant().change) } }}
          />
          <ReasonField form={form} name="reason" of="stock" />
        </>
      )}
    </FormDialog>
  )
}

function outcome(before: number, change: number | null): string {
  const after = before + (change ?? Number.NaN)
  const now = `当前库存 ${formatCount(before)} 件`
  return Number.isSafeInteger(after) && after >= 0 ? `${now}，调整后 ${formatCount(after)} 件` : now
}
