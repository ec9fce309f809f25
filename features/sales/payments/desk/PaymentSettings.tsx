import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentPicker } from '#features/office/agents/AgentPicker.tsx'
import { savedRisks } from '#features/office/prices/rules.ts'
import { savedPriceQuestion } from '#features/office/prices/savedPrice.tsx'
import { CHANNEL_NAMES, SETTINGS_REFUSALS } from '#features/sales/payments/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { PAY_CHANNELS, type PayChannelName, perChannel } from '#kit/ports/channels.ts'
import { api, messageOf, refusalOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { Check } from '#web/form/Check.tsx'
import type { ControlProps } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import type { paymentDesk } from './contract.ts'
import { AGENT_CHANNELS, CHANNEL_CHOICES, UNIT_PRICES } from './fields.ts'
import styles from './operator.module.css'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

type Settings = Out<typeof paymentDesk.settings>
type AgentChoice = Out<typeof paymentDesk.agentChannels>['rows'][number]

/** Prices, and which channels whom is offered. */
export default function PaymentSettings() {
  const settings = useQuery(paymentDeskApi.settings.query())
  return (
    <div className={look.page}>
      <h1 className={look.pageTitle}>价格与渠道</h1>
      {settings.isError ? (
        <LoadFailure error={settings.error} onRetry={() => void settings.refetch()} />
      ) : settings.data ? (
        <div className={styles.paymentSettings}>
          <Prices settings={settings.data} />
          <Channels settings={settings.data} />
        </div>
      ) : (
        <LoadingLines lines={12} />
      )}
    </div>
  )
}

/** Fen from yuan with at most two decimals; NaN when it is no such number. */
function fenOf(yuan: string): number {
  return /^\d{1,7}(\.\d{1,2})?$/.test(yuan.trim()) ? Math.round(Number(yuan) * 100) : Number.NaN
}

const YUAN = { unit: '元' }

function Prices({ settings }: { settings: Settings }) {
  const mayPackages = usePermission('catalogue.items')
  const [editing, setEditing] = useState(false)
  return (
    <section>
      <div className={styles.paymentSettingsHead}>
        <h2 className={look.sectionTitle}>价格</h2>
        <Button changes onClick={() => setEditing(true)}>
          修改价格
        </Button>
      </div>
      <p>1 代币 = {formatCents(settings.tokenFen)} 元</p>
      <p>自定义条数：100 条短信 = {formatCents(settings.smsHundredFen)} 元</p>
      {mayPackages && (
        <p>
          <Link to="/admin/operations/items" search={{ itemKind: 'recharge' }}>
            短信充值套餐
          </Link>
        </p>
      )}
      {editing && (
        <FormDialog
          title="修改价格"
          submitText="保存"
          of={UNIT_PRICES}
          known={{
            tokenYuan: formatCents(settings.tokenFen),
            smsYuan: formatCents(settings.smsHundredFen),
          }}
          refuse={({ tokenYuan, smsYuan }) => {
            const wrong = !(fenOf(tokenYuan) > 0) ? 'tokenYuan' : !(fenOf(smsYuan) > 0) ? 'smsYuan' : null
            return wrong && { field: wrong, message: SETTINGS_REFUSALS.PRICE_INVALID }
          }}
          question={typed => savedPriceQuestion(savedOf(settings, typed))}
          send={async typed => {
            const [tokenFen, smsHundredFen] = [fenOf(typed.tokenYuan), fenOf(typed.smsYuan)]
            const answered = savedRisks(savedOf(settings, typed))
            await paymentDeskApi.setPrices({ tokenFen, smsHundredFen, answered })
            toast.success('修改成功')
            await reread()
          }}
          onRefused={error => {
            // Another price stands there now: it is asked about with that one.
            if (refusalOf(error)?.code === 'PRICE_ASKED') readAgain('paymentDesk.settings')
            return false
          }}
          onClose={() => setEditing(false)}
          told={{ tokenYuan: YUAN, smsYuan: YUAN }}
        />
      )}
    </section>
  )
}

function savedOf(
  { tokenFen, smsHundredFen }: Settings,
  { tokenYuan, smsYuan }: { tokenYuan: string; smsYuan: string },
) {
  return [
    { name: '每代币', unit: '元', beforeCents: tokenFen, afterCents: fenOf(tokenYuan) },
    { name: '每百条短信', unit: '元', beforeCents: smsHundredFen, afterCents: fenOf(smsYuan) },
  ]
}

function Channels({ settings }: { settings: Settings }) {
  const [adding, setAdding] = useState<AgentChoice | null>(null)
  const own = useQuery({
    ...paymentDeskApi.agentChannels.query({ size: 100 }),
  })
  const offering = useMutation({
    mutationFn: (offered: Record<PayChannelName, boolean>) =>
      paymentDeskApi.setAgentChannels({ agentId: 0, choice: offered }),
    onSuccess: () => toast.success('修改成功'),
    onError: error => toast.warning(messageOf(error)),
  })
  return (
    <section>
      <div className={styles.paymentSettingsHead}>
        <h2 className={look.sectionTitle}>支付渠道</h2>
        <Button
          changes
          onClick={() => setAdding({ agentId: 0, agentName: '', choice: perChannel(() => true) })}
        >
          为代理商单独设置
        </Button>
      </div>
      <div className={styles.paymentChannels}>
        {PAY_CHANNELS.map(channel => (
          <Check
            key={channel}
            checked={settings.offered[channel]}
            disabled={offering.isPending}
            onChange={checked => offering.mutate({ ...settings.offered, [channel]: checked })}
          >
            {CHANNEL_NAMES[channel]}
            {!settings.connected.includes(channel) && '（未接入）'}
          </Check>
        ))}
      </div>
      {own.isError ? (
        <LoadFailure error={own.error} onRetry={() => void own.refetch()} />
      ) : own.data && own.data.rows.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
        <section className={styles.paymentTable} aria-label="单独设置的代理商" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">代理商</th>
                {PAY_CHANNELS.map(channel => (
                  <th key={channel} scope="col">
                    {CHANNEL_NAMES[channel]}
                  </th>
                ))}
                <th scope="col">操作</th>
              </tr>
            </thead>
            <tbody>
              {own.data.rows.map(row => (
                <tr key={row.agentId}>
                  <td>
                    {row.agentName}（{row.agentId}）
                  </td>
                  {PAY_CHANNELS.map(channel => (
                    <td key={channel}>{CHANNEL_CHOICES[wordOf(row.choice[channel])]}</td>
                  ))}
                  <td>
                    <Button kind="link" changes onClick={() => setAdding(row)}>
                      编辑
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <p className={look.quiet}>所有代理商使用以上渠道</p>
      )}
      {adding && <ChannelDialog row={adding} onClose={() => setAdding(null)} />}
    </section>
  )
}

type Word = keyof typeof CHANNEL_CHOICES
const wordOf = (choice: boolean | null) => String(choice) as Word

function ChannelDialog({ row, onClose }: { row: AgentChoice; onClose: () => void }) {
  const options = optionsOf<Word>(CHANNEL_CHOICES)
  const read = (text: Word) => (text === 'null' ? null : text === 'true')
  return (
    <FormDialog
      title={row.agentId === 0 ? '为代理商单独设置渠道' : `渠道：${row.agentName}`}
      submitText="保存"
      of={AGENT_CHANNELS}
      known={{
        agentId: row.agentId === 0 ? undefined : row.agentId,
        ...perChannel(channel => wordOf(row.choice[channel])),
      }}
      without={row.agentId === 0 ? [] : ['agentId']}
      refuse={({ agentId }) =>
        agentId === null ? { field: 'agentId', message: SETTINGS_REFUSALS.AGENT_UNKNOWN } : null
      }
      send={async ({ agentId, ...chosen }) => {
        await paymentDeskApi.setAgentChannels({
          agentId,
          choice: perChannel(channel => read(chosen[channel])),
        })
        toast.success('修改成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <FormFields form={form}>
          {{
            agentId: ({ id }) => (
              <AgentPicker
                id={id}
                value={form.draft.agentId ?? undefined}
                onChange={agentId => form.change({ agentId: agentId ?? null })}
                placeholder={SETTINGS_REFUSALS.AGENT_UNKNOWN}
              />
            ),
            ...perChannel(channel => (control: ControlProps) => (
              <Select
                {...control}
                value={form.draft[channel] ?? undefined}
                options={options}
                onChange={chosen => form.change({ [channel]: chosen })}
              />
            )),
          }}
        </FormFields>
      )}
    </FormDialog>
  )
}
