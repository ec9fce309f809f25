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
import type { catalogue, VersionRow } from './contract.ts'
import { RENEWAL } from './fields.ts'
import { RenewalFields } from './RenewalFields.tsx'
import { CATALOGUE_REFUSALS, refuseRetire } from './rules.ts'

const catalogueApi = api<typeof catalogue>('catalogue')
const WIDTH = 640

type Props = { row: VersionRow; onClose: () => void }
type Retirement = Out<typeof catalogue.retirement>

/** Sells a version no more, after a look at whom that concerns. */
export default function RetireDialog({ row, onClose }: Props) {
  const found = useQuery(catalogueApi.retirement.query({ id: row.id }))
  const title = `停售「${row.name}」`
  if (found.data) return <Opened row={row} retirement={found.data} title={title} onClose={onClose} />
  return (
    <Dialog title={title} width={WIDTH} onClose={onClose} footer={<CloseButton />}>
      {found.isError && <DialogText>{messageOf(found.error)}</DialogText>}
    </Dialog>
  )
}

function Opened({ row, retirement, title, onClose }: Props & { retirement: Retirement; title: string }) {
  const today = formatDay(new Date())
  return (
    <FormDialog
      title={title}
      submitText="停售版本"
      width={WIDTH}
      of={RENEWAL}
      refuse={({ renewable, renewUntil }) => {
        const code = refuseRetire(row, renewable ? renewUntil : null, today)
        return code && { field: 'renewUntil', message: CATALOGUE_REFUSALS[code] }
      }}
      send={async values => {
        await catalogueApi.retireVersion({ id: row.id, revision: row.revision, ...values })
        toast.success(`已停售：${row.name}`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Meaning retirement={retirement} renewable={form.draft.renewable} />
          <RenewalFields form={form} today={today} />
        </>
      )}
    </FormDialog>
  )
}

function Meaning({ retirement, renewable }: { retirement: Retirement; renewable: boolean }) {
  const { shops, ending, agents, agentCount, openQuotes, changesTo } = retirement
  return (
    <Concerned
      figures={[
        ['使用商户', countText(shops, '家')],
        ['90 天内到期', countText(ending, '家')],
        ['未支付的报价', countText(openQuotes, '笔')],
      ]}
      agents={agents}
      agentCount={agentCount}
      ends
    >
      <p>
        停售后不再卖给其他商户，未支付的新购和更换报价不能再支付。
        {renewable ? '现有商户到期后可以续费此版本' : '现有商户到期后不能续费此版本'}
        {changesTo.length > 0
          ? `，也可以更换为${changesTo.map(({ name }) => name).join('、')}。`
          : '，没有可以更换的版本。'}
      </p>
    </Concerned>
  )
}
