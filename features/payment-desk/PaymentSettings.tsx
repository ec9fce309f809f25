import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { CHANNEL_NAMES, LIMITS, SETTINGS_REFUSALS } from '#features/payments/rules.ts'
import { PAY_CHANNELS, type PayChannelName, perChannel } from '#kit/channels.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Check, SwitchField } from '#web/form/Check.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { look } from '#web/look.ts'
import { reread } from '#web/reread.ts'
import { toast } from '#web/toast.ts'
import type { paymentDesk } from './contract.ts'
import styles from './operator.module.css'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

type Settings = Out<typeof paymentDesk.settings>
type Package = Settings['packages'][number]
type AgentChoice = Out<typeof paymentDesk.agentChannels>['rows'][number]

/** Prices, packages, and which channels whom is offered. */
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
          <Packages settings={settings.data} />
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

function Prices({ settings }: { settings: Settings }) {
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
      {editing && (
        <FormDialog<{ token: string; sms: string }>
          title="修改价格"
          submitText="保存"
          initial={{ token: formatCents(settings.tokenFen), sms: formatCents(settings.smsHundredFen) }}
          refuse={({ token, sms }) => {
            const wrong = !(fenOf(token) > 0) ? 'token' : !(fenOf(sms) > 0) ? 'sms' : null
            return wrong && { field: wrong, message: SETTINGS_REFUSALS.PRICE_INVALID }
          }}
          onSubmit={async ({ token, sms }) => {
            await paymentDeskApi.setPrices({ tokenFen: fenOf(token), smsHundredFen: fenOf(sms) })
            toast.success('修改成功')
            await reread()
          }}
          onClose={() => setEditing(false)}
        >
          {form => (
            <>
              <TextField form={form} name="token" label="1 代币（元）" inputMode="decimal" unit="元" />
              <TextField form={form} name="sms" label="100 条短信（元）" inputMode="decimal" unit="元" />
            </>
          )}
        </FormDialog>
      )}
    </section>
  )
}

const FRESH: Package = { id: 0, name: '', pieces: 0, priceFen: 0, enabled: true, position: 0 }

function Packages({ settings }: { settings: Settings }) {
  const [editing, setEditing] = useState<Package | null>(null)
  return (
    <section>
      <div className={styles.paymentSettingsHead}>
        <h2 className={look.sectionTitle}>短信充值套餐</h2>
        <Button changes onClick={() => setEditing({ ...FRESH, position: settings.packages.length })}>
          新增套餐
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <section className={styles.paymentTable} aria-label="短信充值套餐" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">名称</th>
              <th scope="col" data-align="right">
                条数
              </th>
              <th scope="col" data-align="right">
                价格（元）
              </th>
              <th scope="col">状态</th>
              <th scope="col">操作</th>
            </tr>
          </thead>
          <tbody>
            {settings.packages.map(row => (
              <tr key={row.id}>
                <td>{row.name}</td>
                <td data-align="right">{formatCount(row.pieces)}</td>
                <td data-align="right">{formatCents(row.priceFen)}</td>
                <td>{row.enabled ? '在售' : '已下架'}</td>
                <td>
                  <Button kind="link" changes onClick={() => setEditing(row)}>
                    编辑
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {editing && <PackageDialog row={editing} onClose={() => setEditing(null)} />}
    </section>
  )
}

type PackageValues = { name: string; pieces: string; price: string; enabled: boolean }

function PackageDialog({ row, onClose }: { row: Package; onClose: () => void }) {
  const isNew = row.id === 0
  return (
    <FormDialog<PackageValues>
      title={isNew ? '新增套餐' : '编辑套餐'}
      submitText="保存"
      initial={{
        name: row.name,
        pieces: isNew ? '' : String(row.pieces),
        price: isNew ? '' : formatCents(row.priceFen).replaceAll(',', ''),
        enabled: row.enabled,
      }}
      refuse={({ name, pieces, price }) => {
        const length = [...name.trim()].length
        if (length === 0) return { field: 'name', message: SETTINGS_REFUSALS.NAME_REQUIRED }
        if (length > LIMITS.packageNameMax) return { field: 'name', message: SETTINGS_REFUSALS.NAME_TOO_LONG }
        if (!/^\d{1,7}$/.test(pieces) || Number(pieces) < 1 || Number(pieces) > LIMITS.piecesMax)
          return { field: 'pieces', message: SETTINGS_REFUSALS.PIECES_INVALID }
        return fenOf(price) > 0 ? null : { field: 'price', message: SETTINGS_REFUSALS.PRICE_INVALID }
      }}
      onSubmit={async ({ name, pieces, price, enabled }) => {
        await paymentDeskApi.savePackage({
          id: isNew ? null : row.id,
          name,
          pieces: Number(pieces),
          priceFen: fenOf(price),
          enabled,
          position: row.position,
        })
        toast.success(isNew ? '新增成功' : '修改成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <TextField form={form} name="name" label="名称" maxLength={LIMITS.packageNameMax} />
          <TextField form={form} name="pieces" label="条数" inputMode="numeric" unit="条" />
          <TextField form={form} name="price" label="价格" inputMode="decimal" unit="元" />
          <SwitchField form={form} name="enabled" label="在售" />
        </>
      )}
    </FormDialog>
  )
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
                    <td key={channel}>{CHOICES[String(row.choice[channel])]}</td>
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

const CHOICES: Record<string, string> = { true: '开通', false: '关闭', null: '默认' }

type ChannelValues = { agentId: number | undefined } & Record<PayChannelName, string>

function ChannelDialog({ row, onClose }: { row: AgentChoice; onClose: () => void }) {
  const options = Object.entries(CHOICES).map(([value, label]) => ({ value, label }))
  const read = (text: string) => (text === 'null' ? null : text === 'true')
  return (
    <FormDialog<ChannelValues>
      title={row.agentId === 0 ? '为代理商单独设置渠道' : `渠道：${row.agentName}`}
      submitText="保存"
      initial={{
        agentId: row.agentId === 0 ? undefined : row.agentId,
        ...perChannel(channel => String(row.choice[channel])),
      }}
      refuse={({ agentId }) =>
        agentId === undefined ? { field: 'agentId', message: SETTINGS_REFUSALS.AGENT_UNKNOWN } : null
      }
      onSubmit={async ({ agentId, ...chosen }) => {
        await paymentDeskApi.setAgentChannels({
          agentId: agentId as number,
          choice: perChannel(channel => read(chosen[channel])),
        })
        toast.success('修改成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {row.agentId === 0 && (
            <Field form={form} name="agentId" label="代理商">
              {({ id }) => (
                <AgentPicker
                  id={id}
                  value={form.draft.agentId}
                  onChange={agentId => form.change({ agentId })}
                  placeholder={SETTINGS_REFUSALS.AGENT_UNKNOWN}
                />
              )}
            </Field>
          )}
          {PAY_CHANNELS.map(channel => (
            <Field key={channel} form={form} name={channel} label={CHANNEL_NAMES[channel]}>
              {control => (
                <Select
                  {...control}
                  value={form.draft[channel]}
                  options={options}
                  onChange={chosen => form.change({ [channel]: chosen })}
                />
              )}
            </Field>
          ))}
        </>
      )}
    </FormDialog>
  )
}
