import { useState } from 'react'
import { ReasonText } from '#features/office/reference-data/ReasonText.tsx'
import { formatCount } from '#kit/money.ts'
import { api, refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { hardware } from './contract.ts'
import type { ProductRow } from './HardwareProductsPage.tsx'
import { LIMITS, REFUSALS, refuseStockChange } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')

type Values = { change: string; reason: string }

/** Pieces that came or went, and why; refused when orders moved the stock since it was shown. */
export default function StockDialog({ product, onClose }: { product: ProductRow; onClose: () => void }) {
  const [stockBefore, setStockBefore] = useState(product.stock)
  const submit = async ({ change, reason }: Values) => {
    try {
      await hardwareApi.adjustStock({ id: product.id, stockBefore, change: changeOf(change), reason })
    } catch (error) {
      const moved = refusalOf(error)?.data?.stock
      if (typeof moved === 'number') setStockBefore(moved)
      throw error
    }
    toast.success('库存已调整')
    await reread()
  }
  return (
    <FormDialog<Values>
      title={`调整库存：${product.name}`}
      submitText="调整库存"
      initial={{ change: '', reason: '' }}
      refuse={({ change, reason }) => {
        const broken = refuseStockChange({ stockBefore, change: changeOf(change), reason })
        return broken && { field: broken.field, message: REFUSALS[broken.code] }
      }}
      onSubmit={submit}
      onClose={onClose}
    >
      {form => (
        <>
          <TextField
            form={form}
            name="change"
            label="增加或减少"
            hint={outcome(stockBefore, changeOf(form.draft.change))}
            placeholder="到货 20，报损 -3"
            unit="件"
            required
            maxLength={8}
          />
          <ReasonText
            of="stock"
            form={form}
            name="reason"
            label="调整原因"
            rows={2}
            maxLength={LIMITS.reason}
            count={LIMITS.reason}
            required
          />
        </>
      )}
    </FormDialog>
  )
}

function changeOf(text: string): number {
  return /^[+-]?\d{1,7}$/.test(text.trim()) ? Number(text) : Number.NaN
}

function outcome(before: number, change: number): string {
  const after = before + change
  const now = `当前库存 ${formatCount(before)} 件`
  return Number.isSafeInteger(after) && after >= 0 ? `${now}，调整后 ${formatCount(after)} 件` : now
}
