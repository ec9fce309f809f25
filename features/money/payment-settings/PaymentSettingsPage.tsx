import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CHANNEL_NAMES } from '#kit/ports/channels.ts'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { Switch } from '#web/form/Check.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { AccountDialog } from './AccountDialog.tsx'
import styles from './paymentSettings.module.css'
import { type CheckResult, REFUSALS, refuseRemove, refuseSwitchOn, settingsOf } from './rules.ts'
import { SignKey } from './SignKey.tsx'
import { type ChannelStanding, type Standing, settingsApi } from './settingsApi.tsx'
import { usePayDisabled } from './usePayDisabled.tsx'

/** The agent's own accounts with the channels: what its shops pay online goes there. */
export default function PaymentSettingsPage() {
  const settings = useQuery(settingsApi.settings.query())
  return (
    <div className={`${look.page} ${styles.ownAccounts}`}>
      <h1 className={look.pageTitle}>支付设置</h1>
      <p className={look.quiet}>填写自己的商户账号后，门店在线支付的款项直接进入该账号，不经过厂商</p>
      {settings.isError ? (
        <LoadFailure error={settings.error} onRetry={() => void settings.refetch()} />
      ) : settings.data ? (
        <Accounts standing={settings.data} />
      ) : (
        <LoadingLines lines={12} />
      )}
    </div>
  )
}

function Accounts({ standing }: { standing: Standing }) {
  const disabled = usePayDisabled(standing)
  return (
    <>
      {disabled !== null && (
        <p className={styles.ownWarning} role="alert">
          {disabled}
        </p>
      )}
      {standing.channels.map(channel => (
        <Account key={channel.channel} account={channel} payEnabled={standing.payEnabled} />
      ))}
      <SignKey signKey={standing.signKey} payEnabled={standing.payEnabled} />
    </>
  )
}

const RESULT_TONES = { right: 'done', wrong: 'problem', unknown: 'attention' } as const
const RESULT_WORDS: Record<CheckResult, string> = {
  right: '检测正确',
  wrong: '检测有误',
  unknown: '未能判断',
}

function Account({ account, payEnabled }: { account: ChannelStanding; payEnabled: boolean }) {
  const { channel, enabled, version, offSeconds } = account
  const [editing, setEditing] = useState(false)
  const name = CHANNEL_NAMES[channel]
  const isSet = version !== null
  const refusedOn = refuseSwitchOn({ payEnabled, ...account })
  const refusedRemove = refuseRemove({ enabled, offSeconds })
  const locked = usePayDisabled({ payEnabled })
  const run = useMutation({
    mutationFn: (work: () => Promise<string | null>) => work(),
    onSuccess: done => done !== null && toast.success(done),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  const check = useMutation({
    mutationFn: () => settingsApi.check({ channel }),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  const turn = async () => {
    await settingsApi.switch({ channel, enabled: !enabled })
    return enabled ? `已停用${name}收款` : `已启用${name}收款`
  }
  const remove = async () => {
    const sure = await confirm({
      title: `删除${name}支付设置`,
      text: '全部密钥将被清除且无法找回。此后，已收款的订单不能再原路退款',
      confirmText: '删除',
      danger: true,
    })
    if (!sure) return null
    await settingsApi.remove({ channel })
    return `已删除${name}支付设置`
  }
  return (
    <section className={styles.ownAccount} aria-labelledby={`own-${channel}`}>
      <div className={styles.ownHead}>
        <h2 id={`own-${channel}`} className={look.sectionTitle}>
          {name}
        </h2>
        {isSet && (
          <Switch
            checked={enabled}
            disabled={!enabled && refusedOn ? (locked ?? REFUSALS[refusedOn]) : null}
            onChange={() => run.mutate(turn)}
          >
            {enabled ? '收款中' : '未启用'}
          </Switch>
        )}
      </div>
      {isSet ? <Given account={account} /> : <p className={look.quiet}>还没有设置</p>}
      {isSet && <Checked account={account} />}
      <div className={styles.ownDeeds}>
        <Button kind={isSet ? 'plain' : 'primary'} changes disabled={locked} onClick={() => setEditing(true)}>
          {isSet ? '修改' : `设置${name}`}
        </Button>
        {isSet && (
          <>
            <Button changes disabled={locked} busy={check.isPending} onClick={() => check.mutate()}>
              检测
            </Button>
            <Button
              kind="quiet"
              changes
              disabled={refusedRemove && REFUSALS[refusedRemove]}
              onClick={() => run.mutate(remove)}
            >
              删除
            </Button>
          </>
        )}
      </div>
      {editing && <AccountDialog account={account} onClose={() => setEditing(false)} />}
    </section>
  )
}

/** What is secret is never shown, only that it is there, since when and by whom. */
function Given({ account }: { account: ChannelStanding }) {
  return (
    <dl className={styles.ownGiven}>
      {Object.entries(settingsOf(account.channel)).flatMap(([name, { label, isLong, words }]) => {
        const given = account.values.find(value => value.name === name)
        if (!given) return []
        const shown = given.value === null || isLong ? null : (words?.[given.value] ?? given.value)
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              {shown ?? '已设置'}
              {shown === null && (
                <small>
                  <Instant at={given.setAt} /> {given.setByName}
                </small>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Checked({ account }: { account: ChannelStanding }) {
  const { checkedAt, checkResult, checkWords, checkedVersion, version } = account
  if (checkedAt === null || checkResult === null)
    return <p className={styles.ownChecked}>尚未检测，检测正确后才能启用</p>
  const isOld = checkedVersion !== version
  return (
    <p className={styles.ownChecked} role="status">
      {isOld ? (
        <StatusTag tone="attention">需重新检测</StatusTag>
      ) : (
        <StatusTag tone={RESULT_TONES[checkResult]}>{RESULT_WORDS[checkResult]}</StatusTag>
      )}
      <span>{isOld ? '设置已修改' : checkWords}</span>
      <span className={look.quiet}>
        <Instant at={checkedAt} />
      </span>
    </p>
  )
}
