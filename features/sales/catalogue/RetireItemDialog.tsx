import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { countText } from '#kit/money.ts'
import { formatDay } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { Concerned } from './Concerned.tsx'
import type { catalogue, ItemRow } from './contract.ts'
import { RENEWAL } from './fields.ts'
import { RenewalFields } from './RenewalFields.tsx'
import { CATALOGUE_REFUSALS, refuseRetireItem } from './rules.ts'

const catalogueApi = api<typeof catalogue>('catalogue')
const WIDTH = 640

type Props = { row: ItemRow; onClose: () => void }
type Retirement = Out<typeof catalogue.itemRetirement>

/** Sells a service or a package no more, after a look at whom that concerns. */
export default function RetireItemDialog({ row, onClose }: Props) {
  const { itemKind, id, revision, name } = row
  const found = useQuery(catalogueApi.itemRetirement.query({ itemKind, id }))
  const title = `停售「${name}」`
  if (!found.data)
    return (
      <Dialog title={title} width={WIDTH} onClose={onClose} footer={<CloseButton />}>
        {found.isError && <DialogText>{messageOf(found.error)}</DialogText>}
      </Dialog>
    )
  const { data } = found
  const today = formatDay(new Date())
  return (
    <FormDialog
      title={title}
      submitText="停售"
      width={WIDTH}
      of={RENEWAL}
      refuse={({ renewable, renewUntil }) => {
        const code = refuseRetireItem(row, renewable ? renewUntil : null, today)
        return code && { field: 'renewUntil', message: CATALOGUE_REFUSALS[code] }
      }}
      send={async values => {
        await catalogueApi.retireItem({ itemKind, id, revision, ...values })
        toast.success(`已停售：${name}`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Meaning row={row} retirement={data} renewable={form.draft.renewable} />
          {row.serviceUnit === 'year' && <RenewalFields form={form} today={today} />}
        </>
      )}
    </FormDialog>
  )
}

type MeaningProps = { row: ItemRow; retirement: Retirement; renewable: boolean }

function Meaning({ row, retirement, renewable }: MeaningProps) {
  const { held, sold, campaigns } = retirement
  const ends = row.serviceUnit === 'year'
  const isRenewed = ends && renewable
  return (
    <Concerned
      figures={[
        ...(held ? ([['使用商户', countText(held.shops, '家')]] as const) : []),
        ...(held && ends
          ? ([
              ['90 天内到期', countText(held.ending, '家')],
              ['已到期', countText(held.ended, '家')],
            ] as const)
          : []),
        ...(sold
          ? ([
              ['近 90 天售出', countText(sold.orders, '份')],
              ['购买的代理商', countText(sold.agents, '家')],
            ] as const)
          : []),
        ...(sold && row.itemKind === 'recharge'
          ? ([['待支付', countText(sold.waiting, '笔')]] as const)
          : []),
      ]}
      agents={held?.agents ?? []}
      agentCount={held?.agentCount ?? 0}
      ends={ends}
    >
      <p>{isRenewed ? RENEWED_MEANS : MEANINGS[row.serviceUnit ?? (row.itemKind as 'sms' | 'recharge')]}</p>
      {campaigns.length > 0 && (
        <p>
          促销「{campaigns.join('」「')}」包含此项目，停售后{isRenewed ? '只对续费起作用' : '对它不再起作用'}
          。
        </p>
      )}
    </Concerned>
  )
}

const RENEWED_MEANS = '停售后不再卖给其他商户；使用过的商户，包括已到期的，仍可续费。'
const MEANINGS = {
  year: '停售后不能再购买，也不能续费；已开通的商户可以用到到期。',
  piece: '停售后不能再购买；已购买的数量长期有效。',
  sms: '停售后不能再购买；已购买的短信不受影响。',
  recharge: '停售后不能再购买；已充值的短信不受影响，待支付的订单支付后照常到账。',
}
