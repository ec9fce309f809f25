import { useQuery } from '@tanstack/react-query'
import { formatInstant } from '#kit/time.ts'
import { QrCode } from '#web/chart/QrCode.tsx'
import { api, messageOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { copyText, share } from '#web/controls/copy.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import type { partners } from './contract.ts'
import styles from './partners.module.css'

const partnersApi = api<typeof partners>('partners')

/** While its SMS is on its way. */
const LOOK_AGAIN_MS = 2_000

type Props = { title: string; agentId: number; onClose: () => void }

/** The link of an open invitation for who made it: copied, shared, scanned; and what became of its SMS. */
export default function InvitationDialog({ title, agentId, onClose }: Props) {
  const link = useQuery({
    ...partnersApi.invitationLink.query({ id: agentId }),
    refetchInterval: ({ state }) => (state.data?.message.state === 'waiting' ? LOOK_AGAIN_MS : false),
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      width={520}
      footer={
        <>
          {link.data?.inboxUrl && (
            <a href={link.data.inboxUrl} target="_blank" rel="noreferrer">
              演示：查看短信
            </a>
          )}
          <Button kind={link.data ? 'plain' : 'primary'} changes={false} onClick={onClose}>
            完成
          </Button>
          {link.data && <Copy link={link.data} />}
        </>
      }
    >
      {link.isError ? (
        <DialogText>{messageOf(link.error)}</DialogText>
      ) : link.data ? (
        <Link link={link.data} />
      ) : (
        <LoadingLines lines={6} />
      )}
    </Dialog>
  )
}

type Told = Awaited<ReturnType<typeof partnersApi.invitationLink>>

const textOf = ({ isReset, name, companyName, loginName, url, expiresAt }: Told) =>
  isReset
    ? `${name}，您好！请在 ${formatInstant(expiresAt)} 前打开链接重设合作伙伴账号 ${loginName} 的登录密码，请勿转发：${url}`
    : `${name}，您好！${companyName}已开通合作伙伴账号 ${loginName}，请在 ${formatInstant(expiresAt)} 前打开链接设置登录密码，请勿转发：${url}`

function Link({ link }: { link: Told }) {
  const { url, isLocal, isReset, name, loginName, expiresAt, message } = link
  return (
    <DialogText>
      <div className={styles.invitation}>
        <p>
          请把链接发给{name}本人，打开后{isReset ? '重设' : '设置'}密码，用账号 <b>{loginName}</b> 登录。
          {formatInstant(expiresAt)} 前有效，只能用一次。
        </p>
        <div className={styles.link}>
          <QrCode text={url} label="邀请链接二维码" />
          <div>
            <p className={styles.address}>{url}</p>
            <p className={look.quiet}>
              只有您能看到这个链接；
              {isReset ? '需要再次打开时请重新生成。' : '关闭后可以在该合作伙伴的「邀请链接」里再次打开。'}
            </p>
          </div>
        </div>
        <p className={styles.message} role="status">
          {message.state === 'failed' && <StatusTag tone="problem">未送达</StatusTag>}
          {message.state === 'none' && !isReset && <StatusTag tone="attention">未发短信</StatusTag>}
          {message.state === 'sent' && <StatusTag tone="done">已发送</StatusTag>}
          <span>{message.words}</span>
        </p>
        {isLocal && (
          <p className={styles.warning}>
            这个链接只有在服务器本机才能打开：请先在服务器上设置 PUBLIC_URL（例如
            PUBLIC_URL=https://partners.example.com），重启后再发给对方。
          </p>
        )}
      </div>
    </DialogText>
  )
}

function Copy({ link }: { link: Told }) {
  const text = textOf(link)
  return (
    <>
      {'share' in navigator && (
        <Button
          changes={false}
          onClick={() => void share({ title: link.isReset ? '重设密码' : '开户邀请', text })}
        >
          分享
        </Button>
      )}
      <Button kind="primary" changes={false} onClick={() => void copyText(text)}>
        {link.isReset ? '复制链接' : '复制邀请'}
      </Button>
    </>
  )
}
