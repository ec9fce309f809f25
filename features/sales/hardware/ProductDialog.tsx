import { savedRisks } from '#features/office/prices/rules.ts'
import { savedPriceQuestion } from '#features/office/prices/savedPrice.tsx'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import type { hardware, ProductRow } from './contract.ts'
import { NEW_PRODUCT } from './fields.ts'

const hardwareApi = api<typeof hardware>('hardware')

type Props = { product: ProductRow | null; onClose: () => void }

/** A new product, or everything but the stock of one that is there. */
export default function ProductDialog({ product, onClose }: Props) {
  const saved = (unitCents: number) => [
    { name: '价格', unit: '代币', beforeCents: product?.unitCents ?? null, afterCents: unitCents },
  ]
  return (
    <FormDialog
      title={product ? `编辑商品：${product.name}` : '新增商品'}
      submitText="保存"
      of={NEW_PRODUCT}
      known={product}
      without={product ? ['stock'] : []}
      question={({ unitCents }) => savedPriceQuestion(saved(unitCents))}
      send={async ({ stock, ...values }) => {
        const form = { ...values, answered: savedRisks(saved(values.unitCents)) }
        if (product) await hardwareApi.editProduct({ ...form, id: product.id, revision: product.revision })
        else await hardwareApi.addProduct({ ...form, stock })
        toast.success(product ? '修改成功' : '新增成功')
        await reread()
      }}
      onClose={onClose}
    />
  )
}
