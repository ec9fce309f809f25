import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import type { factors } from './contract.ts'
import { CodesDialog, PasskeyDialog, RenameDialog, TotpDialog } from './FactorDialogs.tsx'
import styles from './factors.module.css'
import { knowsPasskeys } from './passkeys.tsx'

const factorsApi = api<typeof factors>('factors')

type Standing = Out<typeof factors.standing>
type Passkey = Standing['passkeys'][number]
type Open = 'totp' | 'passkey' | { codes: readonly string[] } | { passkey: Passkey } | null

/** What an account signs in with beside its password. `onSet` hears when a factor was set up and its codes were seen, `onRemoved` when one is gone. */
export function FactorsSection({ onSet, onRemoved }: { onSet?: () => void; onRemoved?: () => void }) {
  const [open, setOpen] = useState<Open>(null)
  const standing = useQuery(factorsApi.standing.query())
  const run = async (work: () => Promise<string | null>) => {
    try {
      const done = await work()
      if (done) toast.success(done)
      await freshened()
    } catch (error) {
      toast.error(messageOf(error))
    }
  }
  const set = async (codes: readonly string[] | null) => {
    await freshened()
    setOpen(codes && { codes })
    if (!codes) onSet?.()
  }
  return (
    <section aria-labelledby="factors-title" className={styles.factors}>
      <h2 id="factors-title" className={look.sectionTitle}>
        二次验证
      </h2>
      <p className={look.quiet}>除密码外再验证一次，密码或登录状态被盗也动不了资金</p>
      {standing.isError && <p role="alert">{messageOf(standing.error)}</p>}
      {standing.data && <Ways standing={standing.data} onOpen={setOpen} run={run} onRemoved={onRemoved} />}
      {open === 'totp' && <TotpDialog onClose={() => setOpen(null)} onSet={set} />}
      {open === 'passkey' && <PasskeyDialog onClose={() => setOpen(null)} onSet={set} />}
      {isOf('passkey', open) && <RenameDialog passkey={open.passkey} onClose={() => setOpen(null)} />}
      {isOf('codes', open) && (
        <CodesDialog
          codes={open.codes}
          onClose={() => {
            setOpen(null)
            readAgain('session')
            onSet?.()
          }}
        />
      )}
    </section>
  )
}

function isOf<K extends string>(key: K, open: Open): open is Extract<Open, Record<K, unknown>> {
  return open !== null && typeof open === 'object' && key in open
}

/** The session says whether there is a factor. */
async function freshened(): Promise<void> {
  await reread()
  readAgain('session')
}

type WaysProps = {
  standing: Standing
  onOpen: (open: Open) => void
  run: (work: () => Promise<string | null>) => Promise<void>
  onRemoved: (() => void) | undefined
}

function Ways({ standing, onOpen, run, onRemoved }: WaysProps) {
  const { totpSince, passkeys, recoveryLeft, passkeyOrigin } = standing
  const remove = (title: string, work: () => Promise<unknown>) =>
    run(async () => {
      const isLast = (totpSince ? 1 : 0) + passkeys.length === 1
      const sure = await confirm({
        title,
        text: isLast
          ? '这是最后一种二次验证，移除后仅凭密码即可登录，恢复码同时失效'
          : '移除后不能再用它验证',
        confirmText: '移除',
        danger: true,
      })
      if (!sure) return null
      await work()
      onRemoved?.()
      return '已移除'
    })
  const renew = () =>
    run(async () => {
      const sure = await confirm({
        title: '重新生成恢复码？',
        text: '原来的恢复码全部失效',
        confirmText: '重新生成',
      })
      if (sure) onOpen({ codes: (await factorsApi.renewRecoveryCodes()).recoveryCodes })
      return null
    })
  return (
    <ul className={styles.ways}>
      <li>
        <div>
          <b>
            验证器
            {totpSince && <StatusTag tone="done">已设置</StatusTag>}
          </b>
          <p>
            {totpSince ? (
              <>
                设置于 <Instant at={totpSince} />
              </>
            ) : (
              '手机上的验证器应用（微软、谷歌等）每 30 秒显示一个验证码'
            )}
          </p>
        </div>
        <Button changes onClick={() => onOpen('totp')}>
          {totpSince ? '更换' : '设置'}
        </Button>
        {totpSince && (
          <Button
            changes
            aria-label="移除验证器"
            onClick={() => void remove('移除验证器？', () => factorsApi.removeTotp())}
          >
            移除
          </Button>
        )}
      </li>
      <li>
        <div>
          <b>通行密钥</b>
          <p>用指纹、面容或安全密钥登录，无需密码</p>
        </div>
        <Button changes onClick={() => onOpen('passkey')} disabled={keyRefusal(passkeyOrigin)}>
          添加
        </Button>
      </li>
      {passkeys.map(key => (
        <li key={key.id} className={styles.keys}>
          <div>
            <b>{key.name}</b>
            <p>
              添加于 <Instant at={key.createdAt} />
              {key.lastUsedAt && (
                <>
                  ，最近使用 <Instant at={key.lastUsedAt} />
                </>
              )}
            </p>
          </div>
          <Button changes aria-label={`重命名 ${key.name}`} onClick={() => onOpen({ passkey: key })}>
            重命名
          </Button>
          <Button
            changes
            aria-label={`移除 ${key.name}`}
            onClick={() =>
              void remove(`移除通行密钥“${key.name}”？`, () => factorsApi.removePasskey({ id: key.id }))
            }
          >
            移除
          </Button>
        </li>
      ))}
      {(totpSince || passkeys.length > 0) && (
        <li>
          <div>
            <b>恢复码</b>
            <p>剩余 {recoveryLeft} 个。手机不在身边时用来登录，每个只能用一次</p>
          </div>
          <Button changes onClick={() => void renew()}>
            重新生成
          </Button>
        </li>
      )}
    </ul>
  )
}

/** Why no key can be added here. */
function keyRefusal(origin: string | null): string | null {
  if (origin === null) return '通行密钥需要用域名（HTTPS）访问本系统：在服务器上设置 PUBLIC_URL 后使用'
  if (location.origin !== origin) return `通行密钥只能在 ${origin} 下使用，请从该地址打开`
  return knowsPasskeys() ? null : '此浏览器不支持通行密钥'
}
