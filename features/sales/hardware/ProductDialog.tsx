import { missingText } from '#kit/declare/form.ts'
import { formatCents, parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { SwitchField } from '#web/form/Check.tsx'
import { FormGrid } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { PictureField } from '#web/form/files/Upload.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { TextField } from '#web/form/TextField.tsx'
import type { hardware } from './contract.ts'
import type { ProductRow } from './HardwareProductsPage.tsx'
import { LIMITS, ONE_PICTURE, REFUSALS, refuseProduct, refuseStock } from './rules.ts'

const hardwareApi = api<typeof hardware>('hardware')

type Values = {
  name: string
  model: string
  description: string
  /** In tokens, as typed. */
  unitCents: string
  pictureId: string | null
  enabled: boolean
  position: string
  /** Of a new product only. */
  stock: string
}

/** A new product, or everything but the stock of one that is there. */
export default function ProductDialog({
  product,
  onClose,
}: {
  product: ProductRow | null
  onClose: () => void
}) {
  const uploads = useUploads()
  const initial: Values = {
    name: product?.name ?? '',
    model: product?.model ?? '',
    description: product?.description ?? '',
    unitCents: product ? formatCents(product.unitCents) : '',
    pictureId: product?.pictureId ?? null,
    enabled: product?.enabled ?? true,
    position: String(product?.position ?? 0),
    stock: '0',
  }
  const refuse = (values: Values) => {
    const sending = uploads.broken()
    if (sending) return sending
    const broken = refuseProduct(formOf(values))
    if (broken?.field === 'unitCents' && values.unitCents.trim() === '')
      return { field: 'unitCents', message: missingText('价格') }
    if (broken) return { field: broken.field, message: REFUSALS[broken.code] }
    const stock = product ? null : refuseStock(wholeOf(values.stock))
    if (!stock) return null
    return { field: 'stock', message: values.stock.trim() === '' ? missingText('库存') : REFUSALS[stock] }
  }
  const submit = async (values: Values) => {
    const form = formOf(values)
    if (product) await hardwareApi.editProduct({ ...form, id: product.id, revision: product.revision })
    else await hardwareApi.addProduct({ ...form, stock: wholeOf(values.stock) })
    toast.success(product ? '修改成功' : '新增成功')
    await reread()
  }
  return (
    <FormDialog<Values>
      title={product ? `编辑商品：${product.name}` : '新增商品'}
      submitText="保存"
      initial={initial}
      refuse={refuse}
      onSubmit={submit}
      onClose={onClose}
    >
      {form => (
        <>
          <PictureField
            form={form}
            name="pictureId"
            label="商品图片"
            purpose="product"
            onlyOne={ONE_PICTURE}
            uploads={uploads}
          />
          <TextField form={form} name="name" label="商品名称" maxLength={LIMITS.productName} required />
          <FormGrid>
            <TextField form={form} name="model" label="型号" maxLength={LIMITS.model} />
            <TextField
              form={form}
              name="unitCents"
              label="价格"
              inputMode="decimal"
              unit="代币"
              required
              maxLength={14}
            />
            {!product && (
              <TextField
                form={form}
                name="stock"
                label="库存"
                inputMode="numeric"
                unit="件"
                required
                maxLength={6}
              />
            )}
            <TextField
              form={form}
              name="position"
              label="排序"
              hint="小的排在前面"
              inputMode="numeric"
              maxLength={4}
            />
          </FormGrid>
          <TextField
            form={form}
            name="description"
            label="商品说明"
            rows={2}
            maxLength={LIMITS.description}
            count={LIMITS.description}
          />
          <SwitchField form={form} name="enabled" label="上架销售" />
        </>
      )}
    </FormDialog>
  )
}

function wholeOf(text: string): number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN
}

function formOf(values: Values) {
  const { stock: _stock, ...form } = values
  return {
    ...form,
    unitCents: parseCents(values.unitCents) ?? Number.NaN,
    position: wholeOf(values.position),
  }
}
