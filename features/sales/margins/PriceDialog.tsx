import { useQuery } from '@tanstack/react-query'
import type { versions } from '#features/shops/versions/contract.ts'
import { formatCents, parseCents } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { margins } from './contract.ts'
import { PRICE_FIELDS } from './fields.ts'
import { MARGIN_MEANING, MARGIN_REFUSALS, PRICE_KEYS, refusePrices } from './rules.ts'
import type { Row } from './SellingPrices.tsx'

const marginsApi = api<typeof margins>('margins')
const versionsApi = api<typeof versions>('versions')

type Values = { versionId: number | null; merchantId: string } & Record<(typeof PRICE_KEYS)[number], string>

/** Sets the prices of a version for all shops, or for one; prices that are emptied end. */
export default function PriceDialog({ row, onClose }: { row: Row | null; onClose: () => void }) {
  const offered = useQuery(versionsApi.list.query())
  const typed = (fen: number | null | undefined) => (fen == null ? '' : formatCents(fen).replaceAll(',', ''))
  return (
    <FormDialog<Values>
      title={row ? `修改售价：${row.versionName}` : '设置售价'}
      submitText="保存"
      initial={{
        versionId: row?.versionId ?? null,
        merchantId: row?.merchantId == null ? '' : String(row.merchantId),
        yearFen: typed(row?.yearFen),
        monthFen: typed(row?.monthFen),
        lifetimeFen: typed(row?.lifetimeFen),
      }}
      refuse={values => broken(values, row !== null)}
      onSubmit={async values => {
        const { versionId, merchantId } = values
        const shop = merchantId.trim() === '' ? null : Number(merchantId)
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
          <Field
            name="versionId"
            label={PRICE_FIELDS.versionName.label}
            form={form}
            required
            lock={row && '修改售价时不能更换版本'}
          >
            {control => (
              <Select
                {...control}
                value={form.draft.versionId ?? undefined}
                options={offered.data?.rows.map(({ id, name }) => ({ value: id, label: name }))}
                onSearch={null}
                disabled={row !== null}
                placeholder="请选择软件版本"
                onChange={versionId => form.change({ versionId: versionId ?? null })}
              />
            )}
          </Field>
          <TextField
            form={form}
            name="merchantId"
            label={PRICE_FIELDS.merchantId.label}
            hint="留空为所有商户；单独设置的商户以单独的售价为准"
            inputMode="numeric"
            maxLength={15}
            lock={row && '修改售价时不能更换商户'}
          />
          {PRICE_KEYS.map(key => (
            <TextField
              key={key}
              form={form}
              name={key}
              label={PRICE_FIELDS[key].label}
              inputMode="decimal"
              unit="元"
              maxLength={16}
            />
          ))}
          <FormNote>{MARGIN_MEANING}</FormNote>
        </>
      )}
    </FormDialog>
  )
}

function pricesOf(values: Values) {
  const fen = (text: string) => (text.trim() === '' ? null : (parseCents(text) ?? Number.NaN))
  return {
    yearFen: fen(values.yearFen),
    monthFen: fen(values.monthFen),
    lifetimeFen: fen(values.lifetimeFen),
  }
}

function broken(values: Values, stands: boolean) {
  const all = []
  if (values.versionId === null) all.push({ field: 'versionId', message: MARGIN_REFUSALS.PRICE_VERSION })
  const shop = values.merchantId.trim()
  if (shop !== '' && !/^[1-9]\d*$/.test(shop))
    all.push({ field: 'merchantId', message: MARGIN_REFUSALS.PRICE_SHOP })
  const prices = refusePrices(pricesOf(values), stands)
  if (prices) all.push({ field: prices.field, message: MARGIN_REFUSALS[prices.code] })
  return all
}
