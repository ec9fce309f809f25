import { useQuery } from '@tanstack/react-query'
import { countText } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatDay } from '#kit/time.ts'
import { api, messageOf } from '#web/api.ts'
import { SwitchField } from '#web/form/Check.tsx'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import { Day } from '#web/form/dates/Day.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { reread } from '#web/reread.ts'
import { toast } from '#web/toast.ts'
import { Concerned } from './Concerned.tsx'
import type { catalogue } from './contract.ts'
import { CATALOGUE_REFUSALS, refuseRetire } from './rules.ts'
import type { VersionRow } from './VersionsPage.tsx'

const catalogueApi = api<typeof catalogue>('catalogue')
const WIDTH = 640

type Props = { row: VersionRow; onClose: () => void }
type Retirement = Out<typeof catalogue.retirement>
type Values = { renewable: boolean; renewUntil: string | null }

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
    <FormDialog<Values>
      title={title}
      submitText="停售版本"
      danger
      width={WIDTH}
      initial={{ renewable: true, renewUntil: null }}
      refuse={({ renewable, renewUntil }) => {
        const code = refuseRetire(row, renewable ? renewUntil : null, today)
        return code && { field: 'renewUntil', message: CATALOGUE_REFUSALS[code] }
      }}
      onSubmit={async values => {
        await catalogueApi.retireVersion({ id: row.id, revision: row.revision, ...values })
        toast.success(`已停售：${row.name}`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Meaning retirement={retirement} renewable={form.draft.renewable} />
          <SwitchField form={form} name="renewable" label="现有商户仍可续费" />
          {form.draft.renewable && (
            <Field form={form} name="renewUntil" label="续费截止日期" hint="留空为一直可以续费；当天仍可续费">
              {control => (
                <Day
                  {...control}
                  value={form.draft.renewUntil}
                  first={today}
                  allowClear
                  placeholder="不限"
                  onChange={renewUntil => form.change({ renewUntil })}
                />
              )}
            </Field>
          )}
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
