import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#kit/money.ts'
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
import styles from './catalogue.module.css'
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
          <Concerned retirement={retirement} renewable={form.draft.renewable} />
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

function Concerned({ retirement, renewable }: { retirement: Retirement; renewable: boolean }) {
  const { shops, ending, agents, agentCount, openQuotes, changesTo } = retirement
  const others = agentCount - agents.length
  return (
    <div className={styles.concerned}>
      <dl>
        <div>
          <dt>使用商户</dt>
          <dd>{formatCount(shops)} 家</dd>
        </div>
        <div>
          <dt>90 天内到期</dt>
          <dd>{formatCount(ending)} 家</dd>
        </div>
        <div>
          <dt>未支付的报价</dt>
          <dd>{formatCount(openQuotes)} 笔</dd>
        </div>
      </dl>
      <p>
        停售后不再卖给其他商户，未支付的新购和更换报价不能再支付。
        {renewable ? '现有商户到期后可以续费此版本' : '现有商户到期后不能续费此版本'}
        {changesTo.length > 0
          ? `，也可以更换为${changesTo.map(({ name }) => name).join('、')}。`
          : '，没有可以更换的版本。'}
      </p>
      {agents.length > 0 && (
        <table>
          <caption>
            涉及 {formatCount(agentCount)} 家代理商{others > 0 && `，商户最多的 ${agents.length} 家`}
          </caption>
          <thead>
            <tr>
              <th scope="col">代理商</th>
              <th scope="col">商户</th>
              <th scope="col">90 天内到期</th>
            </tr>
          </thead>
          <tbody>
            {agents.map(agent => (
              <tr key={agent.id}>
                <td>
                  {agent.name}（{agent.id}）
                </td>
                <td>{formatCount(agent.shops)}</td>
                <td>{formatCount(agent.ending)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
