import { useQuery } from '@tanstack/react-query'
import type { versions } from '#features/shops/versions/contract.ts'
import type { Meant } from '#kit/declare/form.ts'
import { formatCents, parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import type { margins, SellingPriceRow } from './contract.ts'
import { SELLING } from './fields.ts'
import { MARGIN_MEANING, MARGIN_REFUSALS, refusePrices } from './rules.ts'

const marginsApi = api<typeof margins>('margins')
const versionsApi = api<typeof versions>('versions')

type Values = Meant<typeof SELLING>

const YUAN = { unit: '元' }

/** Sets the prices of a version for all shops, or for one; prices that are emptied end. */
export default function PriceDialog({ row, onClose }: { row: SellingPriceRow | null; onClose: () => void }) {
  const offered = useQuery(versionsApi.list.query())
  const typed = (fen: number | null | undefined) => (fen == null ? '' : formatCents(fen).replaceAll(',', ''))
  return (
    <FormDialog<typeof SELLING>
      title={row ? `修改售价：${row.versionName}` : '设置售价'}
      submitText="保存"
      of={SELLING}
      known={{
        versionId: row?.versionId,
        merchantId: row?.merchantId == null ? '' : String(row.merchantId),
        yearFen: typed(row?.yearFen),
        monthFen: typed(row?.monthFen),
        lifetimeFen: typed(row?.lifetimeFen),
      }}
      refuse={values => broken(values, row !== null)}
      send={async values => {
        const { versionId, merchantId } = values
        const shop = merchantId === '' ? null : Number(merchantId)
        const { stands } = await marginsApi.setPrice({
          versionId: versionId ?? 0,
          merchantId: shop,
          ...pricesOf(values),
        })
        toast.success(stands ? '售价已保存，用于之后的订单' : '售价已取消')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields
            form={form}
            told={{
              versionId: { required: true, lock: row && '修改售价时不能更换版本' },
              merchantId: { lock: row && '修改售价时不能更换商户' },
              yearFen: YUAN,
              monthFen: YUAN,
              lifetimeFen: YUAN,
            }}
          >
            {{
              versionId: control => (
                <Select
                  {...control}
                  value={form.draft.versionId ?? undefined}
                  options={offered.data?.rows.map(({ id, name }) => ({ value: id, label: name }))}
                  onSearch={null}
                  disabled={row !== null}
                  placeholder="请选择软件版本"
                  onChange={versionId => form.change({ versionId: versionId ?? null })}
                />
              ),
            }}
          </FormFields>
          <FormNote>{MARGIN_MEANING}</FormNote>
        </>
      )}
    </FormDialog>
  )
}

function pricesOf(values: Values) {
  const fen = (text: string) => (text === '' ? null : (parseCents(text) ?? Number.NaN))
  return {
    yearFen: fen(values.yearFen),
    monthFen: fen(values.monthFen),
    lifetimeFen: fen(values.lifetimeFen),
  }
}

function broken(values: Values, stands: boolean) {
  const all = []
  // Told with what the prices lack.
  if (values.versionId === null) all.push({ field: 'versionId', message: MARGIN_REFUSALS.PRICE_VERSION })
  const shop = values.merchantId
  if (shop !== '' && !/^[1-9]\d*$/.test(shop))
    all.push({ field: 'merchantId', message: MARGIN_REFUSALS.PRICE_SHOP })
  const prices = refusePrices(pricesOf(values), stands)
  if (prices) all.push({ field: prices.field, message: MARGIN_REFUSALS[prices.code] })
  return all
}
